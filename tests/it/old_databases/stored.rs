//! Old databases in files: stores what a service left, and loads it as if that was just now.

use super::facts::{Facts, database};
use crate::harness::{Engine, TestDatabase};
use doorward::clock::Clock;
use std::fs;
use std::path::Path;
use std::process::Command;

/// In microseconds. Times are moved by whole ones, so that pages, which show minutes, can be moved back.
const MINUTE: i64 = 60_000_000;
/// Numbers, some of which are times.
const SQLITE_NUMBERS: &str = "SELECT m.name || '.' || c.name FROM sqlite_master m, pragma_table_info(m.name) c \
    WHERE m.type = 'table' AND c.type = 'INTEGER' AND m.name NOT LIKE '\\_sqlx%' ESCAPE '\\'";
const POSTGRES_TIMES: &str = "SELECT table_name || '.' || column_name FROM information_schema.columns \
    WHERE table_schema = 'public' AND data_type = 'timestamp with time zone' AND table_name NOT LIKE '\\_sqlx%'";

/// Stores a database whose service has ended.
pub async fn store(source: &TestDatabase, version: &str, engine: Engine) {
    let target = database(version, engine);
    match engine {
        Engine::Sqlite => {
            let copy = target.with_extension("");
            let path = copy.display();
            // With a write-ahead log, as a service has it.
            let wal = format!("ATTACH '{path}' AS copy; PRAGMA copy.journal_mode = wal; DETACH copy");
            source.execute_all(&format!("VACUUM INTO '{path}'; {wal}")).await;
            gzip(&["-9", "--force", "--no-name"], &copy);
        }
        Engine::Postgres => {
            let dump = "pg_dump --no-owner --no-privileges --inserts --rows-per-insert=100";
            source.run_line(&format!("{dump} --file='{}' \"$SVC_DATABASE_URL\"", target.display()));
            let text = fs::read_to_string(&target).unwrap();
            fs::write(&target, portable(&text)).unwrap();
        }
    }
}

fn gzip(arguments: &[&str], file: &Path) -> Vec<u8> {
    let output = Command::new("gzip").args(arguments).arg(file).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    output.stdout
}

/// A dump without what depends on the versions of server and program.
pub fn portable(dump: &str) -> String {
    let is_kept = |line: &&str| {
        let left_out = ["--", "\\restrict", "\\unrestrict", "SET "];
        !line.is_empty() && !left_out.iter().any(|start| line.starts_with(start))
    };
    let has_broken_value = dump.lines().any(|line| !line.matches('\'').count().is_multiple_of(2));
    assert!(!has_broken_value, "a value has a line break, so that its next line would be taken for one of the dump");
    dump.lines().filter(is_kept).flat_map(|line| [line, "\n"]).collect()
}

/// A copy of an old database, as if it was made one or two minutes ago, and by how many microseconds its times were moved:
/// everything in it has an end, and would be gone after some months. What is younger than a minute is shown as new.
pub async fn load(version: &str, engine: Engine, facts: &Facts, folder: &Path) -> (TestDatabase, i64) {
    let copy = TestDatabase::empty(engine, folder).await;
    let source = database(version, engine);
    match engine {
        Engine::Sqlite => {
            let file = copy.url().trim_start_matches("sqlite:");
            fs::write(file, gzip(&["--decompress", "--stdout"], &source)).unwrap();
        }
        Engine::Postgres => {
            let load = format!("psql -X -q -1 -o /dev/null -v ON_ERROR_STOP=1 -f '{}'", source.display());
            copy.run_line(&format!("{load} \"$SVC_DATABASE_URL\""));
        }
    }
    let moved = (Clock::system().now().as_micros() - facts.made_at().as_micros()) / MINUTE * MINUTE - MINUTE;
    move_times(&copy, engine, moved).await;
    (copy, moved)
}

/// The columns with a time, as `table.column`.
pub async fn time_columns(database: &TestDatabase, engine: Engine) -> Vec<String> {
    let mut columns = match engine {
        Engine::Sqlite => database.texts(SQLITE_NUMBERS).await,
        Engine::Postgres => database.texts(POSTGRES_TIMES).await,
    };
    columns.retain(|column| engine == Engine::Postgres || is_named_as_time(column));
    columns.sort_unstable();
    columns
}

/// Whether a column, as `table.column`, has the name of a time.
pub fn is_named_as_time(column: &str) -> bool {
    let (_, name) = column.split_once('.').unwrap();
    name.ends_with("_at") || ["at", "active_from", "recent_since", "hour", "lease_until"].contains(&name)
}

async fn move_times(database: &TestDatabase, engine: Engine, micros: i64) {
    let by = match engine {
        Engine::Sqlite => micros.to_string(),
        Engine::Postgres => format!("interval '{micros} microseconds'"),
    };
    let mut sql = vec!["BEGIN".to_owned()];
    for column in time_columns(database, engine).await {
        let (table, column) = column.split_once('.').unwrap();
        sql.push(format!("UPDATE {table} SET {column} = {column} + {by} WHERE {column} IS NOT NULL"));
    }
    // What the triggers note about these changes was not in the old database.
    let changes = database.count("SELECT coalesce(max(id), 0) FROM session_changes").await;
    sql.extend([format!("DELETE FROM session_changes WHERE id > {changes}"), "COMMIT".to_owned()]);
    database.execute_all(&sql.join(";")).await;
}
