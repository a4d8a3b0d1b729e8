//! Optimistic refreshes: a refresh decides on the row that the session's last refresh in this process left.
//!
//! A refresh reads a session, decides, and writes its decision. On PostgreSQL the read is a round trip of its own, and
//! mostly returns what this process wrote at the session's last refresh. So the refresh decides on the remembered row,
//! and the statement that writes checks that the row was current; if it was not, nothing is written, and the refresh
//! starts over with the read. A remembered row may therefore be stale, and needs no invalidation. On SQLite the read
//! takes a few microseconds, and nothing is remembered.

use super::Store;
use super::handle::Db;
use super::session_row::SessionRow;
use crate::model::ids::SessionId;
use crate::model::time::Time;

impl Store {
    /// The session as its last refresh in this process left it, where that saves a round trip. It may be stale: only
    /// [`Store::session_advance_remembered`] may act on it.
    pub fn session_remembered(&self, id: SessionId) -> Option<SessionRow> {
        self.shared.refreshed.get(id)
    }

    /// Remembers what [`Tx::session_advance`](super::Tx::session_advance) or [`Store::session_advance_remembered`] has
    /// committed.
    pub fn session_remember(&self, mut advanced: SessionRow) {
        if matches!(self.db, Db::Postgres(_)) {
            advanced.version += 1;
            self.shared.refreshed.insert(advanced);
        }
    }

    /// Remembers what [`Tx::session_mark_received`](super::Tx::session_mark_received) has committed.
    pub(super) fn session_remember_received(&self, id: SessionId, generation: i64, used_at: Time) {
        let remembered = self.shared.refreshed.get(id).filter(|row| row.generation == generation && !row.used);
        if let Some(mut row) = remembered {
            row.used = true;
            row.last_used_at = row.last_used_at.max(used_at);
            row.version += 1;
            self.shared.refreshed.insert(row);
        }
    }
}
