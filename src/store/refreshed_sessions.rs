//! Sessions in memory as their last refresh in this process left them.

use super::session_row::SessionRow;
use crate::model::ids::SessionId;
use quick_cache::sync::Cache;

/// The number of sessions that are kept: about 12 MB when full.
const CAPACITY: usize = 32 * 1024;

/// The rows of one process.
pub(super) struct RefreshedSessions(Cache<SessionId, SessionRow>);

impl Default for RefreshedSessions {
    fn default() -> Self {
        Self(Cache::new(CAPACITY))
    }
}

impl RefreshedSessions {
    pub(super) fn get(&self, id: SessionId) -> Option<SessionRow> {
        self.0.get(&id)
    }

    pub(super) fn insert(&self, row: SessionRow) {
        self.0.insert(row.id, row);
    }
}
