//! `doorward restore`

use super::backup::key_file;
use super::backup_args::Restore;
use super::backup_copy::{CopyOfBackup, refuse_unexpected_objects, refused};
use super::failure::Failure;
use super::format;
use super::output::Output;
use super::pg_access::PgAccess;
use super::runner::{refuse_losing_events, wake_services};
use super::wording::shell_quote;
use crate::boot::{self, PrivateDir, publish};
use crate::clock::Clock;
use crate::domain::keys;
use crate::domain::restored::{self, Ended};
use crate::model::principal::Principal;
use crate::model::provider::ProviderName;
use crate::settings::{DatabaseUrl, SchemaUpdate, Settings};
use crate::store::{ApiKeyRow, HeldFile, others_are_connected, sqlite_settle, sqlite_verify};
use serde_json::{Value, json};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Puts a backup in the place of a SQLite file; prints the command for PostgreSQL, or does what follows on it.
pub(super) async fn run(settings: Settings, how: &Restore, out: &mut Output<'_>) -> Result<(), Failure> {
    match (&settings.database.url, &how.file) {
        (DatabaseUrl::Postgres(_), Some(file)) => {
            let command = pg_restore(&settings, file);
            let next = "doorward restore --loaded";
            let text = format!(
                "Doorward does not restore a PostgreSQL database itself. Stop the service, and run:\n\
                {command}\n{next}"
            );
            out.result(&json!({"command": command, "next": next}), &text)
        }
        (DatabaseUrl::Postgres(_), None) => loaded(settings, how, out).await,
        (DatabaseUrl::Sqlite(database), Some(file)) => {
            let database = database.clone();
            Box::pin(restore(settings, &database, file, how, out)).await
        }
        (DatabaseUrl::Sqlite(_), None) => {
            Err(Failure::Operator("--loaded is for PostgreSQL; a SQLite database is restored from a file".to_owned()))
        }
    }
}

fn pg_restore(settings: &Settings, file: &Path) -> String {
    let PgAccess { before, database } = PgAccess::new(settings);
    let file = shell_quote(&file.display().to_string());
    format!("{before}pg_restore --clean --if-exists --exit-on-error --dbname={database} {file}")
}

/// `pg_restore` has run.
async fn loaded(mut settings: Settings, how: &Restore, out: &mut Output<'_>) -> Result<(), Failure> {
    // The sign of life in the database is that of the backup, and says nothing of now.
    if others_are_connected(&settings.database).await? {
        return Err(Failure::Refused(
            "the service runs, or another command: stop all processes that have this database open".to_owned(),
        ));
    }
    // Before anything is written, which would set triggers off.
    refuse_unexpected_objects(&settings.database).await?;
    out.require_confirmation("End all sessions, and void all links that were not used?", how.yes)?;
    // As of a copy: an earlier version may have made the backup.
    settings.database.schema_update = SchemaUpdate::Any;
    let store = boot::store(&settings, Clock::system()).await?;
    refuse_losing_events(&settings, &store).await?;
    let ended = restored::end_all(&store, &Principal::operator()).await?;
    let api_keys = restored::live_api_keys(&store, &Principal::operator()).await?;
    let providers = restored::live_providers(&store, &Principal::operator()).await?;
    wake_services(&store).await;
    store.close().await;
    report(&settings, None, &Restored { ended: Some(ended), api_keys, providers }, out)
}

async fn restore(
    mut settings: Settings,
    database: &Path,
    file: &Path,
    how: &Restore,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    sqlite_verify(file).await.map_err(|error| refused(file, &error))?;
    boot::create_data_dir(&settings)?;
    // A link is followed, and stays.
    let database = &database.canonicalize().unwrap_or_else(|_| database.to_owned());
    let held = HeldFile::take(database).await?.ok_or_else(|| in_use(database))?;
    if database.exists() {
        let question =
            format!("Replace {} by {}? What happened since that backup is lost.", database.display(), file.display());
        out.require_confirmation(&question, how.yes)?;
    }
    // Nobody else makes one: the file is held.
    PrivateDir::remove_left(database).map_err(|error| refused(database, &error))?;
    let copy = CopyOfBackup::beside(database, file).await?;
    settings.database.url = DatabaseUrl::Sqlite(copy.path().to_owned());
    refuse_unexpected_objects(&settings.database).await?;
    if how.with_key {
        restore_key(&settings, file)?;
    }
    // The service would take the missing steps at its next start.
    settings.database.schema_update = SchemaUpdate::Any;
    let restored = prepare(&settings, how.keep_sessions).await?;
    sqlite_settle(copy.path()).await?;
    held.replace_with(copy.path()).await?;
    report(&settings, Some(database), &restored, out)
}

/// Brings the copy up to date, and lets it forget what must not come back.
async fn prepare(settings: &Settings, keep_sessions: bool) -> Result<Restored, Failure> {
    let store = boot::store(settings, Clock::system()).await?;
    if let Some(keys) = boot::existing_secret_keys(settings)? {
        let checked = keys::check_secret_keys(&store, &keys).await;
        checked.map_err(|error| Failure::Refused(format!("{error}; see doorward restore --help")))?;
    }
    refuse_losing_events(settings, &store).await?;
    let ended = if keep_sessions { None } else { Some(restored::end_all(&store, &Principal::operator()).await?) };
    let api_keys = restored::live_api_keys(&store, &Principal::operator()).await?;
    let providers = restored::live_providers(&store, &Principal::operator()).await?;
    store.close().await;
    Ok(Restored { ended, api_keys, providers })
}

/// Puts the key beside a backup into the data directory, unless the same one is there.
fn restore_key(settings: &Settings, backup: &Path) -> Result<(), Failure> {
    let (source, target) = (key_file(backup), boot::secret_key_path(settings));
    let text = zeroize::Zeroizing::new(std::fs::read(&source).map_err(|error| refused(&source, &error))?);
    let made = PrivateDir::beside(&target).map_err(|error| refused(&target, &error))?;
    let published = made.create("key", &text).and_then(|written| publish(&written, &target));
    match published {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let kept = zeroize::Zeroizing::new(std::fs::read(&target).map_err(|error| refused(&target, &error))?);
            if kept.trim_ascii() == text.trim_ascii() {
                return Ok(());
            }
            Err(Failure::Refused(format!("{} holds another key, and is not overwritten", target.display())))
        }
        published => published.map_err(|error| refused(&target, &error)),
    }
}

/// What is reported of the restored database.
struct Restored {
    /// `None`: sessions and links live on.
    ended: Option<Ended>,
    /// Those that are live again.
    api_keys: Vec<ApiKeyRow>,
    /// With the number of their identities.
    providers: Vec<(ProviderName, i64)>,
}

fn report(
    settings: &Settings,
    database: Option<&PathBuf>,
    restored: &Restored,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let Restored { ended, api_keys, providers } = restored;
    let mut lines: Vec<String> = database.iter().map(|path| format!("Restored {}", path.display())).collect();
    lines.push(ended.map_or_else(
        || "Sessions and links of the backup live on".to_owned(),
        |Ended { sessions, links }| {
            format!("Sessions ended: {sessions}; links voided: {links}. Everybody logs in again")
        },
    ));
    if !api_keys.is_empty() {
        lines.push("API keys that live again; doorward api-key revoke ends those that were revoked since".to_owned());
        let rows = api_keys.iter().map(|key| [key.id.to_string(), key.name.clone(), key.scopes.names().join(",")]);
        lines.push(format::table(["id", "name", "scopes"], rows));
    }
    if !providers.is_empty() {
        lines.push(
            "Providers and identities that live again; doorward provider remove removes a provider that was removed since"
                .to_owned(),
        );
        let rows = providers.iter().map(|(name, identities)| [name.to_string(), identities.to_string()]);
        lines.push(format::table(["provider", "identities"], rows));
    }
    let has_key = boot::existing_secret_keys(settings)?.is_some();
    if !has_key {
        lines.push(format!(
            "There is no secret key yet, and the service does not start without that of the backup: put it into {}, or \
             set {}. If it is lost, doorward secrets reset",
            boot::secret_key_path(settings).display(),
            settings.name.variable("SECRET_KEY")
        ));
    }
    let names: Vec<Value> =
        providers.iter().map(|(name, identities)| json!({"name": name.as_str(), "identities": identities})).collect();
    let keys: Vec<Value> = api_keys.iter().map(|key| json!({"id": key.id, "name": key.name})).collect();
    let json = json!({
        "database": database,
        "secret_key": has_key,
        "sessions_ended": ended.map_or(Value::Null, |ended| ended.sessions.into()),
        "links_voided": ended.map_or(Value::Null, |ended| ended.links.into()),
        "api_keys": keys,
        "providers": names,
    });
    out.result(&json, &lines.join("\n"))
}

fn in_use(database: &Path) -> Failure {
    Failure::Refused(format!("{} is in use: stop the service, and whatever else has it open", database.display()))
}
