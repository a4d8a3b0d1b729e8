//! The position of a reader in the change feed of sessions, and what the feed reports.

use crate::model::ids::{SessionId, UserId};
use crate::model::time::Time;
use std::time::Duration;

/// The minimum time for which a change is kept after its commit.
pub const CHANGE_RETENTION: Duration = Duration::from_mins(10);
/// A reader whose polls are further apart than this, by the database's clock, may have missed changes. Less than
/// [`CHANGE_RETENTION`], with room for the time that a clean-up and a poll take.
const MAX_POLL_GAP: Duration = Duration::from_mins(2);

/// The position up to which a process has read the change feed.
#[derive(Clone, Debug)]
pub struct ChangeCursor {
    pub(super) position: Position,
    pub(super) at: Time,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Position {
    /// On SQLite, the last id.
    Id(i64),
    /// On PostgreSQL, the snapshot of the last poll.
    Snapshot(String),
}

/// An entry of the change feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SessionChange {
    Session(SessionId),
    User(UserId),
}

/// The result of a poll.
pub(super) struct PolledChanges {
    /// Where the next poll starts.
    pub(super) cursor: ChangeCursor,
    /// `None`: anything may have changed.
    pub(super) changes: Option<Vec<SessionChange>>,
}

impl ChangeCursor {
    /// Whether nothing can have been missed between `before` and this cursor: not after a long pause, whose changes may
    /// have been removed, nor if the database's clock or its transaction ids went back, as after a restore.
    pub(super) fn follows(&self, before: &ChangeCursor) -> bool {
        let in_time = before.at <= self.at && self.at.since(before.at) < MAX_POLL_GAP;
        in_time && self.position.oldest_open() >= before.position.oldest_open()
    }
}

impl Position {
    /// The oldest transaction that was open, the first part of a snapshot's text `xmin:xmax:open`.
    fn oldest_open(&self) -> i64 {
        match self {
            Position::Id(_) => 0,
            Position::Snapshot(text) => text.split(':').next().and_then(|xmin| xmin.parse().ok()).unwrap_or(i64::MIN),
        }
    }
}

#[cfg(test)]
#[path = "change_cursor_tests.rs"]
mod tests;
