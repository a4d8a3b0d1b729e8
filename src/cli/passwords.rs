//! `doorward passwords …`

use super::args::{ImportList, PasswordsCommand};
use super::failure::Failure;
use super::output::Output;
use crate::breached::{self, Filter, ImportError, ImportSummary};
use crate::crypto::password_policy::{self, PasswordProblem};
use crate::settings::Settings;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use std::fs::File;
use std::io::BufReader;

const READ_BUFFER_SIZE: usize = 1024 * 1024;

/// Runs a `doorward passwords` command, which needs the data directory but no database.
pub async fn run(settings: Settings, command: PasswordsCommand, out: &mut Output<'_>) -> Result<(), Failure> {
    match command {
        PasswordsCommand::ImportHibp(arguments) => import(&settings, &arguments, out),
        PasswordsCommand::Check => check(&settings, out).await,
        PasswordsCommand::Status => status(&settings, out),
    }
}

fn import(settings: &Settings, arguments: &ImportList, out: &mut Output<'_>) -> Result<(), Failure> {
    let path = &arguments.file;
    let unreadable = |error| Failure::Operator(format!("{}: {error}", path.display()));
    let list = File::open(path).map_err(unreadable)?;
    let metadata = list.metadata().map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(Failure::Operator(format!("{} is not a file", path.display())));
    }
    let (size, mut shown) = (metadata.len(), 0);
    let mut line = out.progress();
    let progress = |read: u64| {
        let percent = read.saturating_mul(100) / size.max(1);
        if percent > shown {
            shown = percent;
            line.show(&format!("{percent} % read"));
        }
    };
    let data_dir = &settings.database.data_dir;
    let imported = breached::import(BufReader::with_capacity(READ_BUFFER_SIZE, list), size, data_dir, progress);
    line.clear();
    report(settings, &imported?, out)
}

fn report(settings: &Settings, imported: &ImportSummary, out: &mut Output<'_>) -> Result<(), Failure> {
    let file = breached::filter_path(&settings.database.data_dir);
    let text = format!(
        "{} hashes read, {} kept in {} ({} MB).\nA password that is not on the list is refused by mistake once in {}. \
         It counts from now on, without a restart.",
        imported.lines,
        imported.entries,
        file.display(),
        imported.bytes.div_ceil(1_000_000),
        format_inverse(imported.false_positive_rate),
    );
    let json = json!({
        "lines": imported.lines,
        "entries": imported.entries,
        "bytes": imported.bytes,
        "false_positive_rate": imported.false_positive_rate,
        "file": file,
    });
    out.result(&json, &text)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a round number for people")]
fn format_inverse(rate: f64) -> String {
    let inverse = (1.0 / rate.max(f64::MIN_POSITIVE)).min(1e15) as u64;
    let digits = inverse.to_string();
    // Only two digits are significant.
    let rounded = format!("{}{}", &digits[..digits.len().min(2)], "0".repeat(digits.len().saturating_sub(2)));
    let mut grouped = String::new();
    for (index, digit) in rounded.chars().enumerate() {
        if index > 0 && (rounded.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

async fn check(settings: &Settings, out: &mut Output<'_>) -> Result<(), Failure> {
    let password = SecretString::from(out.read_line()?);
    let min_length = settings.accounts.password_min_length;
    let problem = match password_policy::check(password.expose_secret(), min_length, &[]) {
        Err(problem) => Some(problem),
        Ok(()) if breached::contains(&settings.database.data_dir, &password).await? => Some(PasswordProblem::Breached),
        Ok(()) => None,
    };
    let reason = problem.map(|problem| problem.message().english());
    let text = reason.clone().unwrap_or_else(|| "The password would be accepted.".to_owned());
    out.result(&json!({"accepted": reason.is_none(), "reason": reason}), &text)?;
    if reason.is_none() { Ok(()) } else { Err(Failure::Refused("the password would be refused".to_owned())) }
}

fn status(settings: &Settings, out: &mut Output<'_>) -> Result<(), Failure> {
    let file = breached::filter_path(&settings.database.data_dir);
    let Some(filter) = Filter::open(&file)? else {
        return out.result(&json!({"imported": false}), "No list of breached passwords was imported.");
    };
    let rate = filter.false_positive_rate();
    let text = format!(
        "{} hashes in {}.\nA password that is not on the list is refused by mistake once in {}.",
        filter.lines(),
        file.display(),
        format_inverse(rate)
    );
    let json = json!({"imported": true, "lines": filter.lines(), "false_positive_rate": rate, "file": file});
    out.result(&json, &text)
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Io(what, error) => Failure::Operator(format!("{what}: {error}")),
            other => Failure::Refused(other.to_string()),
        }
    }
}

impl From<breached::FilterError> for Failure {
    fn from(error: breached::FilterError) -> Self {
        Failure::Operator(error.to_string())
    }
}
