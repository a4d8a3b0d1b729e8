//! Sessions as their last refresh in this process left them.
//!
//! A refresh reads a session, decides, and writes what it decided. On PostgreSQL the read is a round trip of its own, and
//! mostly gives what this process wrote at the session's last refresh. So it decides on what is remembered, and the
//! statement that writes proves that it still was so; if not, nothing was written, and the refresh begins with the read.
//! What is remembered therefore never has to be fresh, and nobody has to say what changed. SQLite's read costs a few
//! microseconds, and nothing is remembered there.

use super::{Db, SessionRow, Store};
use crate::model::ids::SessionId;
use quick_cache::sync::Cache;

/// Some 12 MB when full.
const KEPT: usize = 32 * 1024;

/// The rows of one process.
pub(super) struct RefreshedSessions(Cache<SessionId, SessionRow>);

impl Default for RefreshedSessions {
    fn default() -> Self {
        Self(Cache::new(KEPT))
    }
}

impl Store {
    /// The session as its last refresh in this process left it, where that saves a round trip. Perhaps it has changed
    /// since: only [`Store::session_advance_remembered`] may act on it.
    pub fn session_remembered(&self, id: SessionId) -> Option<SessionRow> {
        self.shared.refreshed.0.get(&id)
    }

    /// Remembers what [`Tx::session_advance`](super::Tx::session_advance) or [`Store::session_advance_remembered`] has
    /// committed.
    pub fn session_remember(&self, mut advanced: SessionRow) {
        if matches!(self.db, Db::Postgres(_)) {
            advanced.version += 1;
            self.shared.refreshed.0.insert(advanced.id, advanced);
        }
    }
}
