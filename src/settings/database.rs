//! Where data lives.

use super::problem::Refusal;
use super::reader::{Read, Reader};
use super::spec::Values;
use super::spec::{DefaultValue, Exposure, Section, Spec};
use secrecy::SecretString;
use std::path::{Path, PathBuf};

/// Where data lives.
#[derive(Debug)]
pub struct Database {
    /// Which database.
    pub url: DatabaseUrl,
    /// Directory of the SQLite file and the generated secret; made with mode 0700.
    pub data_dir: PathBuf,
}

/// Which database.
#[derive(Debug)]
pub enum DatabaseUrl {
    /// A SQLite file.
    Sqlite(PathBuf),
    /// A PostgreSQL server; the URL may hold a password.
    Postgres(SecretString),
}

static DATABASE_URL: Spec = Spec {
    suffix: "DATABASE_URL",
    kind: "sqlite:PATH or postgres://…",
    default: DefaultValue::Derived("doorward.db in SVC_DATA_DIR", default_url),
    exposure: Exposure::Url,
    meaning: "The database: a SQLite file or a PostgreSQL server.",
};

static DATA_DIR: Spec = Spec {
    suffix: "DATA_DIR",
    kind: "directory",
    default: DefaultValue::Fixed("./doorward-data"),
    exposure: Exposure::Public,
    meaning: "Directory of the SQLite file and the generated secret key, created with mode 0700.",
};

pub(super) static SECTION: Section = Section { title: "Database", settings: &[&DATABASE_URL, &DATA_DIR] };

pub(super) fn read(reader: &mut Reader<'_>) -> Read<Database> {
    let url = reader.required(&DATABASE_URL, database_url);
    let data_dir = reader.required(&DATA_DIR, |text| if text.contains('\0') { Err("a path") } else { Ok(text.into()) });
    Ok(Database { url: url?, data_dir: data_dir? })
}

fn default_url(values: &Values<'_>) -> Option<String> {
    let data_dir = values.effective(&DATA_DIR)?;
    Some(format!("sqlite:{}", Path::new(&*data_dir).join("doorward.db").display()))
}

fn database_url(text: &str) -> Result<DatabaseUrl, Refusal> {
    let (scheme, rest) = text.split_once(':').unwrap_or((text, ""));
    match scheme {
        "sqlite" => sqlite_path(rest).map(DatabaseUrl::Sqlite),
        "postgres" | "postgresql" if rest.starts_with("//") && !text.contains(|c: char| c.is_control() || c == ' ') => {
            Ok(DatabaseUrl::Postgres(text.into()))
        }
        _ => Err("sqlite:PATH, or postgres://USER:PASSWORD@HOST/DATABASE with blanks written as %20".into()),
    }
}

/// The path after `sqlite:`, or after `sqlite://` as other programs write it. In memory there is no database that
/// outlives a connection, and options of a URL would be silently ignored: both are refused.
fn sqlite_path(rest: &str) -> Result<PathBuf, Refusal> {
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
