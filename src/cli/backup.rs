//! `doorward backup`. That a backup was made is recorded in the database, for the alert on those that nobody makes.

use super::backup_args::Backup;
use super::backup_copy::not_copied;
use super::failure::Failure;
use super::output::Output;
use super::pg_access::{self, PgAccess};
use super::runner::refuse_missing_database;
use super::wording::shell_quote;
use crate::boot::{self, PrivateDir, publish};
use crate::clock::Clock;
use crate::error::Error;
use crate::model::principal::{Operation, Principal};
use crate::settings::{DatabaseUrl, Settings};
use crate::store::{self, Store, sqlite_copy};
use secrecy::ExposeSecret;
use serde_json::json;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What follows on the command for PostgreSQL.
const RECORD: &str = "doorward backup --record";

/// Writes a backup of a SQLite file, or prints the command that writes one of PostgreSQL; without a file, prints what that
/// command needs, or records that one was made.
pub(super) async fn run(settings: Settings, how: &Backup, out: &mut Output<'_>) -> Result<(), Failure> {
    refuse_missing_database(&settings)?;
    if let Some(file) = &how.file {
        return back_up(&settings, file, how.with_key, out).await;
    }
    if how.password {
        return print_password(&settings, out);
    }
    record(&settings).await?;
    out.result(&json!({"recorded": true}), "Recorded that a backup was made now")
}

async fn back_up(settings: &Settings, file: &Path, with_key: bool, out: &mut Output<'_>) -> Result<(), Failure> {
    let key_file = with_key.then(|| key_file(file));
    if let Some(path) = key_file.as_deref().into_iter().chain([file]).find(|path| path.symlink_metadata().is_ok()) {
        return Err(exists(path));
    }
    let key = match &key_file {
        Some(_) => Some(boot::secret_key_text(settings)?.ok_or_else(|| no_key(settings))?),
        None => None,
    };
    let made = PrivateDir::beside(file).map_err(|error| unwritable(file, &error))?;
    let command = match &settings.database.url {
        DatabaseUrl::Sqlite(database) => {
            let copy = made.create("backup", &[]).map_err(|error| unwritable(file, &error))?;
            sqlite_copy(database, &copy).await.map_err(|error| not_copied(database, file, &error))?;
            publish(&copy, file).map_err(|error| unwritable(file, &error))?;
            None
        }
        DatabaseUrl::Postgres(_) => Some(pg_dump(settings, file)),
    };
    if let (Some(key), Some(key_file)) = (key, &key_file) {
        let written = made.create("key", key.as_bytes()).and_then(|written| publish(&written, key_file));
        written.map_err(|error| unwritable(key_file, &error))?;
    }
    let (done, recorded) = match &command {
        Some(command) => {
            (format!("Doorward does not copy a PostgreSQL database itself. Run:\n{command}\n{RECORD}"), false)
        }
        // The backup is as good without.
        None => match record(settings).await {
            Ok(()) => (format!("Wrote and verified {}", file.display()), true),
            Err(error) => {
                let why = "but its time could not be recorded";
                (format!("Wrote and verified {}, {why}: {error}", file.display()), false)
            }
        },
    };
    let about_key = match &key_file {
        Some(path) => format!("The secret key is in {}: keep it in another place", path.display()),
        None => "You also need the secret key to use this backup. Store it separately.".to_owned(),
    };
    let written = command.is_none().then_some(file);
    let next = command.is_some().then_some(RECORD);
    let result = json!({"file": written, "key_file": key_file, "command": command, "next": next, "recorded": recorded});
    out.result(&result, &format!("{done}\n{about_key}"))
}

fn print_password(settings: &Settings, out: &mut Output<'_>) -> Result<(), Failure> {
    let variable = settings.name.variable("DATABASE_URL");
    let password = pg_access::password(settings)
        .ok_or_else(|| Failure::Operator(format!("{variable} holds no password of PostgreSQL")))?;
    out.result(&json!({"password": password.expose_secret()}), password.expose_secret())
}

/// Records that a backup was made now.
async fn record(settings: &Settings) -> Result<(), Failure> {
    let store = boot::store(settings, Clock::system()).await?;
    let recorded = record_in(&store).await.map_err(Error::from);
    store.close().await;
    Ok(recorded?)
}

async fn record_in(store: &Store) -> store::Result<()> {
    let mut tx = store.begin(&Principal::operator(), Operation::ManageInstance).await?;
    tx.instance_backed_up().await?;
    tx.commit().await
}

/// The file of the secret key beside a backup.
pub(super) fn key_file(backup: &Path) -> PathBuf {
    let mut name = OsString::from(backup);
    name.push(".key");
    name.into()
}

fn pg_dump(settings: &Settings, file: &Path) -> String {
    let PgAccess { before, database } = PgAccess::new(settings);
    let file = shell_quote(&file.display().to_string());
    format!("(umask 077; {before}pg_dump --format=custom --file={file} {database})")
}

fn exists(path: &Path) -> Failure {
    Failure::Refused(format!("{} exists already, and is not overwritten", path.display()))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    if error.kind() == ErrorKind::AlreadyExists {
        return exists(path);
    }
    Failure::Refused(format!("{}: {error}", path.display()))
}

/// There is neither a key in the settings nor a file with one.
fn no_key(settings: &Settings) -> Failure {
    let variable = settings.name.variable("SECRET_KEY");
    Failure::Operator(format!("there is no secret key: {variable} is not set, and the data directory holds none"))
}
