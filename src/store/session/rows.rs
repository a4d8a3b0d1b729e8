//! Rows of sessions in memory.

use super::row::SessionRow;
use crate::model::ids::SessionId;
use quick_cache::sync::Cache;
use std::sync::Arc;
use tokio::time::Instant;

/// The number of sessions that each keeps: about 12 MB when full.
const CAPACITY: usize = 32 * 1024;

/// Sessions as their last refresh in this process left them.
pub(super) struct RememberedSessions(pub(super) Cache<SessionId, SessionRow>);

/// Sessions as they were read for the gate, and when.
pub(super) struct RecentRows(pub(super) Cache<SessionId, (Arc<SessionRow>, Instant)>);

impl Default for RememberedSessions {
    fn default() -> Self {
        Self(Cache::new(CAPACITY))
    }
}

impl Default for RecentRows {
    fn default() -> Self {
        Self(Cache::new(CAPACITY))
    }
}
