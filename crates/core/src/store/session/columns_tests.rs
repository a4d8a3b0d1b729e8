#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::{SESSION_COLUMNS, SessionColumns};
use std::path::{Path, PathBuf};

/// Functions that change sessions and need not invalidate the cache: expired sessions are not shown any more.
const EXEMPT: [&str; 1] = ["sessions_delete_expired"];

/// Without an invalidation, a change would be seen by its own process up to half a second late.
#[test]
fn functions_changing_what_sessions_show_invalidate_cache() {
    let mut missing = Vec::new();
    let mut found = 0;
    for path in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store")) {
        let text = std::fs::read_to_string(path).unwrap();
        // What stands before the first function are the statements that several of them share.
        let shared = text.split("pub async fn ").next().unwrap();
        for function in text.split("pub async fn ").skip(1) {
            let name = function.split(['(', '<']).next().unwrap();
            let uses_shared = function.contains("end_sessions!") || function.contains("move_sessions!");
            let sql = if uses_shared { shared } else { function };
            let changes = SESSION_COLUMNS.iter().any(|shown| changes(sql, shown));
            found += usize::from(changes);
            if changes && !function.contains("self.invalidates_sessions()") && !EXEMPT.contains(&name) {
                missing.push(name.to_owned());
            }
        }
    }
    assert!(found > 20, "only {found} were found");
    assert!(missing.is_empty(), "{missing:?}");
}

/// Whether SQL in this text changes a column that a session shows.
fn changes(text: &str, shown: &SessionColumns) -> bool {
    let text = text.replace("\\\n", " ").split_whitespace().collect::<Vec<_>>().join(" ");
    let table = shown.table;
    let inserts = shown.insert && text.contains(&format!("INSERT INTO {table} "));
    let deletes = shown.delete && [" ", "\""].iter().any(|end| text.contains(&format!("DELETE FROM {table}{end}")));
    let updates = text.split(&format!("UPDATE {table} SET ")).skip(1).any(|statement| {
        let assignments = statement.split(" WHERE ").next().unwrap();
        shown.columns.iter().any(|column| {
            assignments.split([',', ' ', '(']).collect::<Vec<_>>().windows(2).any(|words| words == [*column, "="])
        })
    });
    inserts || deletes || updates
}

#[test]
fn every_column_of_the_view_is_in_the_list() {
    let source = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store/session/read.rs"));
    let source = source.unwrap();
    let view = source.split("macro_rules! session").nth(1).unwrap().split("\npub(super) use ").next().unwrap();
    let names = [("users", "u."), ("sessions", "s."), ("memberships", "m."), ("organizations", "o."), ("totp", "t.")];
    for (table, name) in names {
        let columns = SESSION_COLUMNS.iter().find(|shown| shown.table == table).unwrap().columns;
        let mut words = view.split(|c: char| !(c.is_alphanumeric() || c == '.' || c == '_'));
        let unlisted: Vec<_> = words
            .by_ref()
            .filter_map(|word| word.strip_prefix(name))
            .filter(|column| !columns.contains(column) && !NOT_SHOWN.contains(column))
            .collect();
        assert!(unlisted.is_empty(), "{table}: {unlisted:?}");
    }
}

/// What joins and finds rows, and what decides only what is written.
const NOT_SHOWN: [&str; 13] = [
    "id",
    "user_id",
    "organization_id",
    "created_at",
    "last_used_at",
    "nonce",
    "used",
    "generation",
    "issued_at",
    "parent_generation",
    "parent_issued_at",
    "replaced_at",
    "version",
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let files = files.into_iter().filter(|path| !path.to_str().unwrap().ends_with("_tests.rs"));
    files.chain(folders.iter().flat_map(|folder| sources(folder))).collect()
}
