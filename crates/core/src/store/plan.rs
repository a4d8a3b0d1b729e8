//! How SQLite would run a statement, for the tests of each group of tables.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::migrate::STEPS;
use rusqlite::Connection;

/// The steps of a statement's plan on today's schema.
pub(super) fn plan(sql: &str) -> Vec<String> {
    let connection = Connection::open_in_memory().unwrap();
    for (_, _, schema, _) in STEPS {
        connection.execute_batch(schema).unwrap();
    }
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    // Parameters without a value are NULL.
    statement.raw_query().mapped(|row| row.get("detail")).map(Result::unwrap).collect()
}
