//! What the metrics read of a process's database at a scrape.

use super::Store;
use super::db::Db;
use super::status::{ConnectionUse, SessionCacheUse};
use crate::model::audit::AuditKind;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many entries of the audit log a process has written.
pub(super) struct AuditCounts([AtomicU64; AuditKind::ALL.len()]);

impl Default for AuditCounts {
    fn default() -> Self {
        Self([const { AtomicU64::new(0) }; AuditKind::ALL.len()])
    }
}

impl AuditCounts {
    pub(super) fn add(&self, written: &[(AuditKind, i64)]) {
        for (kind, times) in written {
            if let Some(index) = AuditKind::ALL.iter().position(|known| known == kind) {
                self.0[index].fetch_add(times.unsigned_abs(), Ordering::Relaxed);
            }
        }
    }

    fn all(&self) -> Vec<(&'static str, u64)> {
        let counts = self.0.iter().map(|count| count.load(Ordering::Relaxed));
        AuditKind::ALL.iter().map(|kind| kind.as_str()).zip(counts).collect()
    }
}

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
