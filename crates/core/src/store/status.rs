//! What a process knows of its database at a moment, and what it has counted: for the metrics.

use super::error::StoreError;
use crate::model::audit::AuditKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// The connections of a process that serve requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConnectionUse {
    pub limit: usize,
    pub in_use: usize,
    pub waiting: usize,
    /// How many were given up since the start: the server did not answer, or was not the right one.
    pub lost: u64,
    /// How often the server refused another one since the start, or none became free in time.
    pub refused: u64,
    /// For how long the database was away since the start, together.
    pub away: Duration,
    pub is_away: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionCacheUse {
    /// How often a session was found since the start.
    pub hits: u64,
    /// How often the database was read instead.
    pub misses: u64,
    pub sessions: usize,
    /// The time since the process last asked which sessions others have changed; grows while no request comes.
    pub age: Duration,
    /// How often asking failed since the start.
    pub failed_polls: u64,
}

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

    pub(super) fn all(&self) -> Vec<(&'static str, u64)> {
        let counts = self.0.iter().map(|count| count.load(Ordering::Relaxed));
        AuditKind::ALL.iter().map(|kind| kind.as_str()).zip(counts).collect()
    }
}

/// Result shared by concurrent callers.
pub(super) type SharedResult = std::result::Result<(), Arc<StoreError>>;

/// Whether the last write succeeded, and when it ended. Who asks meanwhile waits for the same answer.
#[derive(Default)]
pub(super) struct LastWrite(pub(super) Mutex<Option<(Instant, SharedResult)>>);
