//! What judges refresh tokens, in memory for nearly a second: the gate asks for it with each request of a page.
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
use std::time::Duration;
use tokio::time::Instant;

/// A change must be visible everywhere within a second (docs/protocol.md 8.3); what remains is left for the answer.
const MAX_AGE: Duration = Duration::from_millis(900);

/// One lookup: users and memberships are in the session that is looked up besides.
const FIND_RECENT: &str = "SELECT user_id, nonce, generation, issued_at, used, parent_generation, parent_issued_at, \
     replaced_at FROM sessions WHERE id = $1";

impl SessionStore<'_> {
    /// What judges a refresh token of the session, at most 0.9 seconds old, if it is in memory.
    pub fn recent(&self, id: SessionId) -> Option<Arc<RecentSession>> {
        let sessions = &self.store.shared.sessions.recent.0;
        sessions.get(&id).filter(|(_, read_at)| read_at.elapsed() < MAX_AGE).map(|(session, _)| session)
    }

    /// The same as it is committed now, and remembered for [`Self::recent`].
    pub async fn read_recent(&self, id: SessionId) -> Result<Option<Arc<RecentSession>>> {
        let read_at = Instant::now();
        let session = match &self.store.db {
            Db::Sqlite(db) => db.inline().first(FIND_RECENT, [id.0.as_bytes()], sqlite_recent)?.map(Arc::new),
            Db::Postgres(pool) => self.read_together(pool, id).await?,
        };
        if let Some(session) = &session {
            self.store.shared.sessions.recent.0.insert(id, (session.clone(), read_at));
        }
        Ok(session)
    }
}

fn sqlite_recent(row: &rusqlite::Row<'_>) -> rusqlite::Result<RecentSession> {
    Ok(RecentSession { user_id: UserId(uuid(row, 0)?), nonce: row.get(1)?, tokens: sqlite_tokens(row, 2)? })
}
