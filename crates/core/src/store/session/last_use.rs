//! What requests show about sessions: when each was last used, and which refresh token has arrived. Recorded in memory by
//! requests, written in batches (write-behind).

use crate::model::ids::SessionId;
use crate::model::session_view::KnownSession;
use crate::model::time::Time;
use crate::store::{Store, StoreError};
use parking_lot::{Mutex, MutexGuard};
use serde::Serialize;
use std::collections::HashMap;
use std::time::Duration;

/// A session's last use is written at most once in this time.
pub const LAST_USE_PRECISION: Duration = Duration::from_mins(1);
/// The number of rows written in one statement: a few milliseconds in which no other transaction writes.
const CHUNK: usize = 500;
/// Beyond this many unwritten sessions further ones are dropped until the next write: both are best effort.
const MAX_WAITING: usize = 100_000;

/// Uses of sessions that are not written yet.
#[derive(Default)]
pub struct LastUse {
    waiting: Mutex<HashMap<SessionId, Use>>,
}

#[derive(Clone, Copy)]
struct Use {
    at: Time,
    received: Option<i64>,
}

/// The last use of a session, as it is written.
#[derive(Serialize)]
pub(super) struct SessionUse {
    id: SessionId,
    /// In microseconds.
    used_at: i64,
    /// The generation of a refresh token that is newly known to have arrived.
    received: Option<i64>,
}

impl LastUse {
    /// Records a use of a session at `now` by a client that has received the refresh token of this generation: once for
    /// each generation, and once within [`LAST_USE_PRECISION`].
    pub fn record(&self, id: SessionId, session: &KnownSession, generation: i64, now: Time) {
        let received = Some(generation).filter(|generation| *generation > session.received_generation());
        if received.is_none() && now.since(session.last_used()) < LAST_USE_PRECISION {
            return;
        }
        let mut waiting = self.waiting();
        if waiting.len() < MAX_WAITING {
            let used = waiting.entry(id).or_insert(Use { at: now, received });
            *used = Use { at: now, received: received.max(used.received) };
            session.set_last_used(now, generation);
        }
    }

    pub async fn write(&self, store: &Store) -> Result<(), StoreError> {
        let recorded = std::mem::take(&mut *self.waiting());
        if recorded.is_empty() {
            return Ok(());
        }
        let mut sessions: Vec<_> = recorded.into_iter().collect();
        // The same order in all processes, so that two of them that write the same sessions cannot deadlock.
        sessions.sort_unstable_by_key(|(session, _)| *session);
        for (done, chunk) in sessions.chunks(CHUNK).enumerate() {
            if let Err(error) = write_chunk(store, chunk).await {
                self.put_back(&sessions[done * CHUNK..]);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Writes the recorded use of one session; returns whether there was one.
    pub async fn write_one(&self, store: &Store, id: SessionId) -> Result<bool, StoreError> {
        let Some(recorded) = self.waiting().remove(&id) else { return Ok(false) };
        if let Err(error) = write_chunk(store, &[(id, recorded)]).await {
            self.put_back(&[(id, recorded)]);
            return Err(error);
        }
        Ok(true)
    }

    /// Keeps what was not written for the next time, unless something newer is recorded.
    fn put_back(&self, sessions: &[(SessionId, Use)]) {
        let mut waiting = self.waiting();
        for (session, used) in sessions {
            let newer = waiting.entry(*session).or_insert(*used);
            newer.received = newer.received.max(used.received);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<SessionId, Use>> {
        self.waiting.lock()
    }
}

async fn write_chunk(store: &Store, sessions: &[(SessionId, Use)]) -> Result<(), StoreError> {
    let uses = sessions.iter().map(|&(id, Use { at, received })| SessionUse { id, used_at: at.as_micros(), received });
    let mut tx = store.begin_internal().await?;
    let changed = tx.sessions_record_uses(&uses.collect::<Vec<_>>()).await?;
    tx.commit().await?;
    for session in changed.iter().filter(|session| session.used) {
        store.shared.sessions.cache.mark_used(session);
    }
    Ok(())
}
