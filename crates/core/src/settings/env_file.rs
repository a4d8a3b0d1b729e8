//! Files of variables: `--env-file`.

use super::env_text::{EnvText, NotText};
use crate::model::finding::{Finding, FindingCode};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// More than any file of settings has.
const MAX_BYTES: u64 = 1024 * 1024;
/// A file of another kind has nothing but lines that are skipped.
const MAX_LINES_NAMED: usize = 10;

/// A file of variables cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("--env-file: {} {problem}", .path.display())]
pub struct EnvFileError {
    path: PathBuf,
    problem: String,
}

/// Reads a file. Only a regular one: nothing else is sure to end, or can be read again.
pub(super) fn read(path: &Path) -> Result<EnvText, EnvFileError> {
    let failed = |problem: String| EnvFileError { path: path.to_owned(), problem };
    let unreadable = |error: std::io::Error| failed(format!("cannot be read: {error}"));
    let metadata = path.metadata().map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(failed("is not a regular file".to_owned()));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > MAX_BYTES) {
        return Err(failed(format!("is larger than {} MiB", MAX_BYTES >> 20)));
    }
    if bytes.contains(&0) {
        return Err(failed("is not text: it contains a NUL byte".to_owned()));
    }
    EnvText::parse(&bytes).map_err(|NotText(line)| failed(format!("is not UTF-8 text in line {line}")))
}

/// What is odd in a file, by the numbers of its lines: their text may be a secret.
pub(super) fn findings(path: &Path, text: &EnvText) -> Vec<Finding> {
    let finding = |what: &str, lines: &[usize], effect: &str| {
        let message = format!("{}: {what} in {}: {effect}", path.display(), numbers(lines));
        (!lines.is_empty()).then(|| Finding::new(FindingCode::EnvFileLine, message))
    };
    let skipped = finding("no NAME=value", &text.skipped, "skipped, as systemd does");
    let effect = "systemd before version 254 skips the line after it";
    let unclear = finding("a comment ends with a backslash", &text.unclear, effect);
    skipped.into_iter().chain(unclear).collect()
}

fn numbers(lines: &[usize]) -> String {
    let named: Vec<_> = lines.iter().take(MAX_LINES_NAMED).map(ToString::to_string).collect();
    let rest = match lines.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{} {}{rest}", if lines.len() == 1 { "line" } else { "lines" }, named.join(", "))
}
