//! What the metrics read of a process's database at a scrape.

use super::Store;
use super::db::Db;
use super::status::{ConnectionUse, SessionCacheUse};

impl Store {
    /// The connections now. An SQLite file is never away.
    pub fn connections(&self) -> ConnectionUse {
        match &self.db {
            Db::Sqlite(db) => db.connection_use(),
            Db::Postgres(pool) => pool.connection_use(),
        }
    }

    pub fn session_cache(&self) -> SessionCacheUse {
        self.shared.sessions.cache_use()
    }

    /// The entries of the audit log that this process has written since its start, by the name of their kind.
    pub fn audit_counts(&self) -> Vec<(&'static str, u64)> {
        self.shared.audited.all()
    }
}
