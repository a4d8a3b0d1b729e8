//! When a session was last used: recorded in memory by requests, written in batches (write-behind).

use super::{KnownSession, Store, StoreError};
use crate::model::ids::SessionId;
use crate::model::time::Time;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A session's last use is written at most once in this time.
pub const LAST_USE_PRECISION: Duration = Duration::from_mins(1);
/// The number of rows written in one transaction: a few milliseconds in which no other transaction writes.
const CHUNK: usize = 200;
/// Beyond this many unwritten sessions further ones are dropped until the next write: last use is best effort.
const MAX_WAITING: usize = 100_000;

/// Uses of sessions that are not written yet.
#[derive(Default)]
pub struct LastUse {
    waiting: Mutex<HashMap<SessionId, Time>>,
}

impl LastUse {
    /// Records a use of a session at `now`, unless one was recorded within [`LAST_USE_PRECISION`].
    pub fn record(&self, id: SessionId, session: &KnownSession, now: Time) {
        if now.since(session.last_used()) < LAST_USE_PRECISION {
            return;
        }
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < MAX_WAITING {
            waiting.insert(id, now);
            session.set_last_used(now);
        }
    }

    /// Writes the recorded uses.
    pub async fn write(&self, store: &Store) -> Result<(), StoreError> {
        let recorded = std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        if recorded.is_empty() {
            return Ok(());
        }
        let mut sessions: Vec<_> = recorded.into_iter().collect();
        // The same order in all processes, so that two of them that write the same sessions cannot deadlock.
        sessions.sort_unstable();
        for (done, chunk) in sessions.chunks(CHUNK).enumerate() {
            if let Err(error) = write_chunk(store, chunk).await {
                self.put_back(&sessions[done * CHUNK..]);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Keeps what was not written for the next time, except sessions with a newer use.
    fn put_back(&self, sessions: &[(SessionId, Time)]) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        for (session, used_at) in sessions {
            waiting.entry(*session).or_insert(*used_at);
        }
    }
}

async fn write_chunk(store: &Store, sessions: &[(SessionId, Time)]) -> Result<(), StoreError> {
    let mut tx = store.begin().await?;
    for (session, used_at) in sessions {
        tx.session_touch(*session, *used_at).await?;
    }
    tx.commit().await
}
