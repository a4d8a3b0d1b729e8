//! Optimistic refreshes: a refresh decides on the row that the session's last refresh in this process left.
//!
//! A refresh reads a session, decides, and writes its decision. On PostgreSQL the read is a round trip of its own, and
//! mostly returns what this process wrote at the session's last refresh. So the refresh decides on the remembered row,
//! and the statement that writes checks that the row was current; if it was not, nothing is written, and the refresh
//! starts over with the read. A remembered row may therefore be stale, and needs no invalidation. On SQLite the read
//! takes a few microseconds, and nothing is remembered.

use super::door::SessionStore;
use super::row::SessionRow;
use crate::model::ids::SessionId;
use crate::model::time::Time;
use crate::store::handle::Db;

impl SessionStore<'_> {
    /// The session as its last refresh in this process left it, where that saves a round trip. It may be stale: only
    /// [`SessionStore::advance_remembered`] may act on it.
    pub fn remembered(&self, id: SessionId) -> Option<SessionRow> {
        self.store.shared.sessions.remembered.0.get(&id)
    }

    /// Remembers what a refresh has committed.
    pub(super) fn remember(self, mut advanced: SessionRow) {
        if matches!(self.store.db, Db::Postgres(_)) {
            advanced.version += 1;
            self.store.shared.sessions.remembered.0.insert(advanced.id, advanced);
        }
    }

    /// Remembers what [`Tx::session_mark_received`](crate::store::Tx::session_mark_received) has committed.
    pub(super) fn remember_received(self, id: SessionId, generation: i64, used_at: Time) {
        let remembered = self.remembered(id).filter(|row| row.tokens.generation == generation && !row.tokens.used);
        if let Some(mut row) = remembered {
            row.tokens.used = true;
            row.last_used_at = row.last_used_at.max(used_at);
            row.version += 1;
            self.store.shared.sessions.remembered.0.insert(row.id, row);
        }
    }
}
