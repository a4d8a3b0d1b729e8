//! Caches for 0.9 seconds the columns that decide whether a refresh token is valid: the gate needs
//! them with each request of a page.
//!
//! Within that time it may be older than the database. That is enough to accept a token, as the session itself is
//! looked up besides; before a token is refused, it is read again.

use super::door::SessionStore;
use super::read::{sqlite_tokens, uuid};
use super::row::RecentSession;
use crate::model::ids::{SessionId, UserId};
use crate::store::Result;
use crate::store::handle::Db;
use std::sync::Arc;

/// One lookup: users and memberships are in the session that is looked up besides.
const FIND_RECENT: &str = "SELECT user_id, nonce, generation, issued_at, used, parent_generation, parent_issued_at, \
     replaced_at, version FROM sessions WHERE id = $1";

impl SessionStore<'_> {
    /// The columns that decide on a refresh token of the session, at most 0.9 seconds old, if it is in memory.
    pub fn recent(&self, id: SessionId) -> Option<Arc<RecentSession>> {
        self.store.shared.sessions.recent.get(id)
    }

    /// The same as it is committed now, and remembered for [`Self::recent`].
    pub async fn read_recent(&self, id: SessionId) -> Result<Option<Arc<RecentSession>>> {
        let recents = &self.store.shared.sessions.recent;
        let read_at = recents.now();
        let session = match &self.store.db {
            Db::Sqlite(db) => db.inline().first(FIND_RECENT, [id.0.as_bytes()], sqlite_recent)?.map(Arc::new),
            Db::Postgres(pool) => self.read_together(pool, id).await?,
        };
        if let Some(session) = &session {
            recents.insert(id, session.clone(), read_at);
            self.start_read_ahead();
        }
        Ok(session)
    }
}

fn sqlite_recent(row: &rusqlite::Row<'_>) -> rusqlite::Result<RecentSession> {
    Ok(RecentSession {
        user_id: UserId(uuid(row, 0)?),
        nonce: row.get(1)?,
        tokens: sqlite_tokens(row, 2)?,
        version: row.get(8)?,
    })
}
