//! Names for the ids and times of an old database: `<users.id 3>` is the third id in that column. With them all databases
//! show one text, and what no row has stays as it is.

use super::check;
use super::stored::time_columns;
use crate::harness::{Engine, TestDatabase};
use doorward::model::time::Time;
use regex::{Captures, Regex};
use std::collections::BTreeMap;
use std::time::Duration;
use uuid::Uuid;

/// Longer than any reading takes.
const READING: Duration = Duration::from_mins(5);
/// The columns with ids that are shown. What was deleted has its id in the audit log.
const IDS: [&str; 14] = [
    "api_keys.id",
    "audit.id",
    "es256_signing_keys.kid",
    "identities.id",
    "invitations.id",
    "mails.id",
    "organizations.id",
    "outbox.id",
    "passkeys.id",
    "sessions.id",
    "signing_keys.kid",
    "users.id",
    "audit.user_id",
    "audit.session_id",
];
/// The columns that say when a row was made.
const MADE: [&str; 3] = ["created_at", "at", "started_at"];

/// The names, by id and by time in the file.
pub struct Names {
    ids: BTreeMap<String, String>,
    times: BTreeMap<i64, String>,
    made_at: Time,
    moved: i64,
}

impl Names {
    /// Those of a copy whose times were moved, before a later version has changed it.
    pub async fn of(copy: &TestDatabase, engine: Engine, made_at: Time, moved: i64) -> Self {
        let mut names = Self { ids: BTreeMap::new(), times: BTreeMap::new(), made_at, moved };
        let times = time_columns(copy, engine).await;
        for column in &times {
            for (number, micros) in (1..).zip(values(copy, engine, column, &times).await) {
                let micros = micros.parse::<i64>().unwrap() - moved;
                names.times.entry(micros).or_insert_with(|| format!("<{column} {number}>"));
            }
        }
        let tables = check::tables(copy, engine).await;
        let is_there = |column: &str| tables.iter().any(|table| column.starts_with(&format!("{table}.")));
        for column in IDS.into_iter().filter(|column| is_there(column)) {
            for (number, id) in (1..).zip(values(copy, engine, column, &times).await) {
                names.ids.entry(without_dashes(&id)).or_insert_with(|| format!("<{column} {number}>"));
            }
        }
        names
    }

    /// A text with names, and `<now>` for times of the reading.
    pub fn put_into(&self, text: &str) -> String {
        let time = Regex::new("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z").unwrap();
        let id = Regex::new("[0-9A-Za-z_-]+").unwrap();
        let text = time.replace_all(text, |found: &Captures| self.time(Time::parse(&found[0]).unwrap()));
        id.replace_all(&text, |found: &Captures| self.id(&found[0])).into_owned()
    }

    /// Payloads of events have the times of the file.
    fn time(&self, shown: Time) -> String {
        let in_file = Time::from_micros(shown.as_micros() - self.moved);
        let name = [in_file, shown].iter().find_map(|time| self.times.get(&time.as_micros()));
        let is_new = self.made_at <= in_file && in_file < self.made_at + READING;
        name.cloned().unwrap_or_else(|| if is_new { "<now>".to_owned() } else { in_file.to_string() })
    }

    fn id(&self, shown: &str) -> String {
        let id = shown.strip_prefix("evt_").unwrap_or(shown);
        let name = self.ids.get(&without_dashes(id)).map_or(id, String::as_str);
        format!("{}{name}", &shown[..shown.len() - id.len()])
    }
}

/// Message ids have those of emails without dashes.
fn without_dashes(id: &str) -> String {
    Uuid::parse_str(id).map_or_else(|_| id.to_owned(), |id| id.simple().to_string())
}

/// The values of a column in the order in which the rows were made; of times, microseconds.
async fn values(copy: &TestDatabase, engine: Engine, column: &str, times: &[String]) -> Vec<String> {
    let (table, name) = column.split_once('.').unwrap();
    let is_time = |column: &str| times.iter().any(|time| time == column);
    let text = match (engine, is_time(column)) {
        (Engine::Sqlite, true) => format!("CAST({name} AS TEXT)"),
        (Engine::Sqlite, false) => format!("iif(typeof({name}) = 'blob', hex({name}), {name})"),
        (Engine::Postgres, true) => format!("(extract(epoch FROM {name}) * 1000000)::bigint::text"),
        (Engine::Postgres, false) => format!("{name}::text"),
    };
    let made = MADE.iter().find(|made| is_time(&format!("{table}.{made}")));
    // By the value itself: as texts, times near 1970 change their place with the moment of the reading.
    let order = made.map_or_else(|| name.to_owned(), |made| format!("{made}, {name}"));
    copy.texts(&format!("SELECT {text} FROM {table} WHERE {name} IS NOT NULL ORDER BY {order}")).await
}
