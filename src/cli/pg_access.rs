//! How PostgreSQL's own programs reach the database: without a secret on a command line, which every user of the machine
//! reads, and without one that is printed.

use super::wording::shell_quote;
use crate::settings::{DatabaseUrl, Settings};
use percent_encoding::percent_decode_str;
use secrecy::{ExposeSecret, SecretString};

/// What stands before such a program, and the database in its arguments.
pub(super) struct PgAccess {
    pub(super) before: String,
    pub(super) database: String,
}

impl PgAccess {
    pub(super) fn new(settings: &Settings) -> Self {
        let variable = format!("\"${}\"", settings.name.variable("DATABASE_URL"));
        if let Some(file) = &settings.database.password_file {
            let file = shell_quote(&file.display().to_string());
            return Self { before: format!("PGPASSWORD=\"$(cat {file})\" "), database: variable };
        }
        match without_password(settings) {
            (url, Some(_)) => {
                Self { before: "PGPASSWORD=\"$(doorward backup --password)\" ".to_owned(), database: shell_quote(&url) }
            }
            (_, None) => Self { before: String::new(), database: variable },
        }
    }
}

/// The password in the URL of the database, if there is one.
pub(super) fn password(settings: &Settings) -> Option<SecretString> {
    without_password(settings).1
}

fn without_password(settings: &Settings) -> (String, Option<SecretString>) {
    match &settings.database.url {
        DatabaseUrl::Sqlite(_) => (String::new(), None),
        DatabaseUrl::Postgres(url) => split(url.expose_secret()),
    }
}

/// A URL without its password, and the password as the server takes it.
fn split(url: &str) -> (String, Option<SecretString>) {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let (before, query) = url.split_once('?').unwrap_or((url, ""));
    let given = query.split('&').find_map(|part| part.strip_prefix("password="));
    let mut password = given.map(decoded);
    let query: Vec<&str> = query.split('&').filter(|part| !part.is_empty() && !part.starts_with("password=")).collect();
    let mut rest = before.to_owned();
    if let Some((user, host)) = before.rsplit_once('@')
        && let Some((scheme, user)) = user.split_once("://")
        && let Some((name, in_user)) = user.split_once(':')
    {
        rest = format!("{scheme}://{name}@{host}");
        password = password.or_else(|| Some(decoded(in_user)));
    }
    if !query.is_empty() {
        rest = format!("{rest}?{}", query.join("&"));
    }
    (rest, password.map(SecretString::from))
}

#[cfg(test)]
#[path = "pg_access_tests.rs"]
mod tests;
