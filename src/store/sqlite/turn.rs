//! One transaction's turn on the writing connection.

use super::writer::{Durability, Slot, State, Writer};
use super::{Result, StoreError, not_committed};
use sqlx::SqliteConnection;
use std::sync::Arc;
use tokio::sync::{OwnedMutexGuard, oneshot};
use tokio::time::Instant;

/// What a transaction is to hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// Any statements.
    Several,
    /// At most one changing statement, so that no savepoint is needed.
    Single,
    /// At most one changing statement that says what this process is about to do.
    Lease,
}

impl Work {
    /// A lease means something only while the process that holds it lives, and with the power that ends.
    const fn durability(self) -> Durability {
        match self {
            Work::Several | Work::Single => Durability::Power,
            Work::Lease => Durability::Process,
        }
    }
}

/// One transaction's turn on the writing connection: a savepoint inside the group's transaction.
///
/// Dropped without [`Turn::commit`], also in the middle of a statement, it only notes so; the next holder of the
/// connection undoes it first.
pub(crate) struct Turn {
    /// `None` once the turn has ended.
    slot: Option<OwnedMutexGuard<Slot>>,
    writer: Arc<Writer>,
    savepoint: bool,
    group_lost: bool,
}

impl Turn {
    /// Waits for the connection.
    pub(super) async fn begin(writer: &Arc<Writer>, work: Work) -> Result<Self> {
        let asked_at = Instant::now();
        let savepoint = work == Work::Several;
        let (slot, durability) = writer.take(work.durability()).await?;
        if slot.was_busy_since(asked_at) {
            return Err(StoreError::NotCommitted("another process holds the database".to_owned()));
        }
        let opened = slot.state() == State::Open;
        // From here on the guard is the turn's, whose drop cleans up should this future be dropped.
        let mut turn = Turn { slot: Some(slot), writer: writer.clone(), savepoint, group_lost: false };
        if !opened {
            turn.group_lost = true;
            turn.begin_group(durability).await?;
            turn.group_lost = false;
        }
        if savepoint {
            turn.run("SAVEPOINT turn").await?;
        }
        Ok(turn)
    }

    async fn begin_group(&mut self, durability: Durability) -> Result<()> {
        match &mut self.slot {
            Some(slot) => slot.begin_group(durability).await.map_err(|error| not_committed(&error)),
            None => Err(StoreError::Poisoned),
        }
    }

    async fn run(&mut self, sql: &'static str) -> Result<()> {
        match &mut self.slot {
            Some(slot) => slot.run(sql).await.map_err(|error| not_committed(&error)),
            None => Err(StoreError::Poisoned),
        }
    }

    pub(crate) fn connection(&mut self) -> Result<&mut SqliteConnection> {
        self.slot.as_mut().map(|slot| slot.connection()).ok_or(StoreError::Poisoned)
    }

    /// Notes that the engine may have rolled back the whole group.
    pub(crate) fn give_up_group(&mut self) {
        self.group_lost = true;
    }

    /// Joins the group's COMMIT, and returns when it is durable.
    pub(crate) async fn commit(mut self) -> Result<()> {
        if self.savepoint {
            self.run("RELEASE turn").await?;
        }
        let (ticket, answer) = oneshot::channel();
        if let Some(mut slot) = self.slot.take() {
            slot.join_group(ticket);
        }
        self.writer.wake_committer();
        match answer.await {
            Ok(outcome) => outcome.map_err(StoreError::NotCommitted),
            Err(_) => Err(StoreError::NotCommitted("the database was closed".to_owned())),
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(slot) = &mut self.slot {
            let undoable = self.savepoint && !self.group_lost;
            slot.leave(if undoable { State::Dirty } else { State::Lost });
            self.writer.wake_committer();
        }
    }
}

#[cfg(test)]
#[path = "turn_tests.rs"]
mod tests;
