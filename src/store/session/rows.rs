//! Rows of sessions in memory.

use super::row::{RecentSession, SessionRow};
use crate::model::ids::SessionId;
use quick_cache::sync::Cache;
use std::sync::Arc;
use tokio::time::Instant;

/// The number of sessions that each keeps: about 12 MB when full.
const CAPACITY: usize = 32 * 1024;

/// Sessions as their last refresh in this process left them.
pub(super) struct RememberedSessions(pub(super) Cache<SessionId, SessionRow>);

/// What was read of sessions for the gate, and when.
pub(super) struct RecentSessions(pub(super) Cache<SessionId, (Arc<RecentSession>, Instant)>);

impl Default for RememberedSessions {
    fn default() -> Self {
        Self(Cache::new(CAPACITY))
    }
}

impl Default for RecentSessions {
    fn default() -> Self {
        Self(Cache::new(CAPACITY))
    }
}
