//! The position of a reader in the change feed of sessions, and what the feed reports.

use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::time::Time;
use std::time::Duration;

/// The minimum time for which a change is kept after its commit.
pub const CHANGE_RETENTION: Duration = Duration::from_mins(10);
/// A reader whose polls are further apart than this, by the database's clock, may have missed changes. Less than
/// [`CHANGE_RETENTION`], with room for the time that a clean-up and a poll take.
const MAX_POLL_GAP: Duration = Duration::from_mins(2);

/// The position up to which a process has read the change feed. It means something on one server only.
#[derive(Clone, Debug)]
pub struct ChangeCursor {
    pub(in crate::store) server: FeedServer,
    pub(in crate::store) position: Position,
    pub(in crate::store) at: Time,
}

/// The database server that a feed was read from; empty on SQLite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::store) struct FeedServer {
    /// What tells it from a promoted standby, from itself before a restart or a restore, and from any other server.
    pub(in crate::store) identity: String,
    /// When it was started, which alone tells two servers apart that run at the same time.
    pub(in crate::store) started_at: Option<Time>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) enum Position {
    /// On SQLite, the last id.
    Id(i64),
    /// On PostgreSQL, the snapshot of the last poll.
    Snapshot(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum SessionChange {
    Session(SessionId),
    User(UserId),
    Organization(OrganizationId),
}

pub(in crate::store) struct PolledChanges {
    pub(in crate::store) cursor: ChangeCursor,
    /// `None`: anything may have changed.
    pub(in crate::store) changes: Option<Vec<SessionChange>>,
    /// The version of the list of providers.
    pub(in crate::store) providers: i64,
}

impl PolledChanges {
    /// What a poll from `before` to `cursor` found.
    pub(in crate::store) fn between(
        before: Option<&ChangeCursor>,
        cursor: ChangeCursor,
        changes: Vec<SessionChange>,
        providers: i64,
    ) -> Self {
        let complete = before.is_some_and(|before| cursor.follows(before));
        Self { cursor, changes: complete.then_some(changes), providers }
    }
}

impl ChangeCursor {
    /// Whether nothing can have been missed between `before` and this cursor: not on another server, nor after a long
    /// pause, whose changes may have been removed, nor if the database's clock or its transaction ids went back.
    pub(in crate::store) fn follows(&self, before: &ChangeCursor) -> bool {
        let in_time = before.at <= self.at && self.at.since(before.at) < MAX_POLL_GAP;
        in_time && self.server == before.server && self.position.follows(&before.position)
    }
}

impl Position {
    /// Neither the oldest open transaction nor the next id to be given out goes back on one server.
    fn follows(&self, before: &Position) -> bool {
        let (now, before) = (self.bounds(), before.bounds());
        now.0 >= before.0 && now.1 >= before.1
    }

    /// The oldest transaction that was open, and the next id: the first parts of a snapshot's text `xmin:xmax:open`.
    fn bounds(&self) -> (i64, i64) {
        match self {
            Position::Id(_) => (0, 0),
            Position::Snapshot(text) => {
                let mut parts = text.split(':').map(|part| part.parse().unwrap_or(i64::MIN));
                (parts.next().unwrap_or(i64::MIN), parts.next().unwrap_or(i64::MIN))
            }
        }
    }
}

#[cfg(test)]
#[path = "cursor_tests.rs"]
mod tests;
