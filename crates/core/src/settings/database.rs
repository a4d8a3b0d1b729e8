//! Database settings.

use super::parse;
use super::problem::InvalidValue;
use super::reader::{Read, Reader};
use super::redact::redact;
use super::spec::{Derived, Exposure, Values, section};
use secrecy::{ExposeSecret, SecretString};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub struct DatabaseSettings {
    pub url: DatabaseUrl,
    /// Directory of the SQLite file and the generated secret key; created with mode 0700.
    pub data_dir: PathBuf,
    /// The most PostgreSQL connections of a process.
    pub pool_max: u32,
    /// Which missing steps of the schema are taken when the database is opened.
    pub schema_update: SchemaUpdate,
    /// A file with the password of PostgreSQL, read at each new connection.
    pub password_file: Option<PathBuf>,
}

/// Which missing steps of the schema are taken when a database is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaUpdate {
    Any,
    /// None; an old schema is refused.
    Never,
}

#[derive(Debug)]
pub enum DatabaseUrl {
    Sqlite(PathBuf),
    /// A PostgreSQL server; the URL may hold a password.
    Postgres(SecretString),
}

impl DatabaseUrl {
    /// The server that a URL names; `None` if it is none of PostgreSQL, or blanks in it are not written as `%20`.
    pub fn postgres(text: &str) -> Option<Self> {
        let is_url = ["postgres://", "postgresql://"].iter().any(|begin| text.starts_with(begin));
        let is_whole = !text.contains(|c: char| c.is_control() || c == ' ');
        (is_url && is_whole).then(|| DatabaseUrl::Postgres(text.into()))
    }

    /// The database as errors name it: the file, or the URL without username, password and query.
    pub fn shown(&self) -> String {
        match self {
            DatabaseUrl::Sqlite(path) => path.display().to_string(),
            DatabaseUrl::Postgres(url) => {
                redact(Exposure::Url, url.expose_secret()).map_or_else(|| "(not shown)".to_owned(), Cow::into_owned)
            }
        }
    }
}

section! { "Database";
    DATABASE_URL: "sqlite:PATH or postgres://…", Derived("doorward.db in SVC_DATA_DIR", default_url), Url,
        "The database: a SQLite file or a PostgreSQL server.";
    DATABASE_POOL_MAX: "whole number", Fixed("24"), Public,
        "Maximum number of connections of a process to PostgreSQL. Four of them are not for requests.";
    DATABASE_PASSWORD_FILE: "path", Unset("the password in SVC_DATABASE_URL"), Public,
        "A file with the password of PostgreSQL, read at each new connection, so that a new password needs no \
        restart. SVC_DATABASE_URL then has no password.";
    DATA_DIR: "directory", Fixed("./doorward-data"), Public,
        "Directory of the SQLite file and the generated secret key, created with mode 0700.";
    MIGRATE: "auto or off", Fixed("auto"), Public,
        "Whether the service updates an old schema when it starts. With off it refuses an old schema, as other \
        commands always do, and doorward migrate updates it.";
}

pub(super) fn read(reader: &mut Reader<'_>) -> Read<DatabaseSettings> {
    let url = reader.required(&DATABASE_URL, database_url);
    let pool_max = reader.required(&DATABASE_POOL_MAX, pool_max);
    let password_file = reader.optional(&DATABASE_PASSWORD_FILE, path);
    refuse_two_passwords(reader, url.as_ref().ok(), &password_file);
    let data_dir = reader.required(&DATA_DIR, path);
    let update = parse::one_of(&[("auto", SchemaUpdate::Any), ("off", SchemaUpdate::Never)]);
    let schema_update = reader.required(&MIGRATE, update);
    Ok(DatabaseSettings {
        url: url?,
        data_dir: data_dir?,
        pool_max: pool_max?,
        schema_update: schema_update?,
        password_file: password_file?,
    })
}

fn path(text: &str) -> Result<PathBuf, InvalidValue> {
    if text.is_empty() || text.contains('\0') { Err("a path".into()) } else { Ok(text.into()) }
}

fn pool_max(text: &str) -> Result<u32, InvalidValue> {
    let allowed = "a whole number from 8 to 1000";
    parse::count(1000)(text).ok().filter(|max| *max >= 8).ok_or_else(|| allowed.into())
}

/// A password that is read from nowhere, or beside another, is a mistake.
fn refuse_two_passwords(reader: &mut Reader<'_>, url: Option<&DatabaseUrl>, file: &Read<Option<PathBuf>>) {
    if !matches!(file, Ok(Some(_))) {
        return;
    }
    let variable = reader.variable(&DATABASE_URL);
    let problem = match url {
        Some(DatabaseUrl::Sqlite(_)) => format!("it is for PostgreSQL, and {variable} names a SQLite file"),
        Some(DatabaseUrl::Postgres(url)) if holds_password(url.expose_secret()) => {
            format!("{variable} holds a password too; take one of them away")
        }
        _ => return,
    };
    reader.report(&DATABASE_PASSWORD_FILE, problem);
}

fn holds_password(url: &str) -> bool {
    let (before, query) = url.split_once('?').unwrap_or((url, ""));
    let user = before.rsplit_once('@').and_then(|(user, _)| user.split_once("://"));
    user.is_some_and(|(_, user)| user.contains(':')) || query.split('&').any(|part| part.starts_with("password="))
}

fn default_url(values: &Values<'_>) -> Option<Derived> {
    let data_dir = values.effective(&DATA_DIR)?;
    let value = format!("sqlite:{}", Path::new(&*data_dir).join("doorward.db").display());
    Some(Derived { value, from: Some(&DATA_DIR) })
}

fn database_url(text: &str) -> Result<DatabaseUrl, InvalidValue> {
    let allowed = "sqlite:PATH, or postgres://USER:PASSWORD@HOST/DATABASE with blanks written as %20";
    match text.split_once(':').unwrap_or((text, "")) {
        ("sqlite", path) => sqlite_path(path).map(DatabaseUrl::Sqlite),
        _ => DatabaseUrl::postgres(text).ok_or_else(|| allowed.into()),
    }
}

/// Parses the path after `sqlite:`, or after `sqlite://` as other programs write it. Rejects in-memory databases, which
/// do not outlive a connection, and URL options, which would be ignored silently.
fn sqlite_path(rest: &str) -> Result<PathBuf, InvalidValue> {
    let path = rest.strip_prefix("//").unwrap_or(rest);
    if path.is_empty() || path.contains(['?', '\0']) || path.starts_with(':') {
        return Err(
            "sqlite:PATH with the path of a file, without options (a database in memory is not supported)".into()
        );
    }
    Ok(path.into())
}

#[cfg(test)]
#[path = "database_tests.rs"]
mod tests;
