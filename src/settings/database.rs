//! Where data lives.

use secrecy::SecretString;
use std::path::PathBuf;

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
