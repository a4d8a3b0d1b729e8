//! The limit of a session read on SQLite: its two lookups on the same file, mapped into memory, so that no page is read
//! and no page cache is searched. What still grows is the depth of the trees and the distance of their pages from the
//! processor.

use crate::outcome::Outcome;
use crate::people::Person;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use tokio::time::Instant;

const SQL: &str = "SELECT u.email FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = ?1";
/// The bundled SQLite maps at most the first 2 GiB.
const MAPPED: i64 = 1 << 31;

/// A connection that maps the file.
pub struct BareReader(Connection);

impl BareReader {
    /// Opens it.
    pub fn open(file: &Path) -> Outcome<Self> {
        let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        // The pragma returns the size that it will map.
        connection.pragma_update_and_check(None, "mmap_size", MAPPED, |_| Ok(()))?;
        Ok(Self(connection))
    }

    /// Microseconds of the lookups for a person.
    pub fn once(&self, person: Person) -> Outcome<f64> {
        let session = person.session();
        let began = Instant::now();
        let email: String = self.0.prepare_cached(SQL)?.query_row([session.0.as_bytes()], |row| row.get(0))?;
        let took = began.elapsed();
        if email == person.email() {
            Ok(took.as_secs_f64() * 1e6)
        } else {
            Err(format!("{email} is not {person:?}").into())
        }
    }
}
