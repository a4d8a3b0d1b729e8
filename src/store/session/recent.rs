//! The rows that judge refresh tokens, in memory for half a second: the gate asks for them with each request of a page.
//!
//! Within that time a row may be older than the database. That is enough to accept a token, as the session itself is
//! looked up besides; before a token is refused, its row is read again.

use super::door::SessionStore;
use super::row::SessionRow;
use crate::model::ids::SessionId;
use crate::store::Result;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// A change must be visible everywhere within a second (docs/protocol.md 8.3); half of it is left for the request.
const MAX_AGE: Duration = Duration::from_millis(500);

impl SessionStore<'_> {
    /// As [`Self::for_refresh`], but at most half a second old, if it is in memory.
    pub fn recent(&self, id: SessionId) -> Option<Arc<SessionRow>> {
        let rows = &self.store.shared.sessions.recent.0;
        rows.get(&id).filter(|(_, read_at)| read_at.elapsed() < MAX_AGE).map(|(row, _)| row)
    }

    /// As [`Self::for_refresh`], and remembered for [`Self::recent`].
    pub async fn read_recent(&self, id: SessionId) -> Result<Option<Arc<SessionRow>>> {
        let read_at = Instant::now();
        let row = self.read_together(id).await?;
        if let Some(row) = &row {
            self.store.shared.sessions.recent.0.insert(id, (row.clone(), read_at));
        }
        Ok(row)
    }
}
