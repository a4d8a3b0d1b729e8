//! Files of variables: those of `--env-file`, and the one of the working directory.

use super::env_text::{EnvText, NotText};
use crate::model::finding::{Finding, FindingCode};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::process::geteuid;
use std::fs::{File, Metadata};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// More than any file of settings has.
const MAX_BYTES: u64 = 1024 * 1024;
/// A file of another kind has nothing but lines that are skipped.
const MAX_LINES_NAMED: usize = 10;

/// The file that every command reads where `--env-file` names none.
pub const LOCAL_ENV_FILE: &str = "./doorward.env";
/// Write, by the group or by everyone.
const WRITABLE: u32 = 0o022;
const ROOT: u32 = 0;

/// A file of variables cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{named_by}{} {problem}", .path.display())]
pub struct EnvFileError {
    /// The option that names the file, if one does.
    named_by: &'static str,
    path: PathBuf,
    problem: String,
}

/// Reads a file that the command line names. Only a regular one: nothing else is sure to end, or can be read again.
pub(super) fn read(path: &Path) -> Result<EnvText, EnvFileError> {
    let failed = |problem: String| EnvFileError { named_by: "--env-file: ", path: path.to_owned(), problem };
    let unreadable = |error: std::io::Error| failed(format!("cannot be read: {error}"));
    let metadata = path.metadata().map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(failed("is not a regular file".to_owned()));
    }
    text(File::open(path).map_err(unreadable)?, failed)
}

/// The file of the working directory.
pub(super) enum LocalFile {
    Missing,
    Read(EnvText),
    /// It may be someone else's, and would decide which database and which libraries a command uses.
    NotTrusted(Finding),
}

/// Reads the file that nobody named. What is opened is what is judged, so that it cannot be replaced in between.
pub(super) fn read_local(path: &Path) -> Result<LocalFile, EnvFileError> {
    let refused = |reason: String| {
        let message = format!("{} is not read: {reason}", path.display());
        Ok(LocalFile::NotTrusted(Finding::new(FindingCode::EnvFileNotTrusted, message)))
    };
    // A pipe would be waited for.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = rustix::fs::open(path, flags, Mode::empty());
    let file = match opened.map(File::from) {
        Ok(file) => file,
        Err(Errno::NOENT) => return Ok(LocalFile::Missing),
        Err(Errno::LOOP) => return refused("it is a symbolic link; name the file with --env-file".to_owned()),
        Err(error) => return refused(std::io::Error::from(error).to_string()),
    };
    match file.metadata().map(|metadata| reason_for_distrust(path, &metadata)) {
        Ok(None) => {
            let failed = |problem: String| EnvFileError { named_by: "", path: path.to_owned(), problem };
            text(file, failed).map(LocalFile::Read)
        }
        Ok(Some(reason)) => refused(reason),
        Err(error) => refused(error.to_string()),
    }
}

fn reason_for_distrust(path: &Path, metadata: &Metadata) -> Option<String> {
    let (path, own) = (path.display(), geteuid().as_raw());
    let (owner, mode) = (metadata.uid(), metadata.mode() & 0o7777);
    if !metadata.is_file() {
        return Some("it is not a regular file".to_owned());
    }
    if owner != own && owner != ROOT {
        return Some(format!("it belongs to user {owner}, who can change it: chown {own} {path}"));
    }
    (mode & WRITABLE != 0).then(|| format!("others can change it (mode {mode:04o}): chmod go-w {path}"))
}

fn text(file: File, failed: impl Fn(String) -> EnvFileError) -> Result<EnvText, EnvFileError> {
    let unreadable = |error: std::io::Error| failed(format!("cannot be read: {error}"));
    let mut bytes = Vec::new();
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
