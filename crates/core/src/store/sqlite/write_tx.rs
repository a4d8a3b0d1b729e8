//! One transaction on the writing connection.

use super::errors::not_committed;
use super::writer::{Durability, Slot, SlotState, Writer};
use crate::store::{Result, StoreError};
use sqlx::SqliteConnection;
use std::sync::Arc;
use tokio::sync::{OwnedMutexGuard, oneshot};
use tokio::time::Instant;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WriteMode {
    Several,
    /// At most one changing statement, so that no savepoint is needed.
    Autocommit,
    /// At most one changing statement, about leases of this process.
    Lease,
}

impl WriteMode {
    /// A lease has a meaning only while the process that holds it lives, and a loss of power ends that process.
    const fn durability(self) -> Durability {
        match self {
            WriteMode::Several | WriteMode::Autocommit => Durability::Power,
            WriteMode::Lease => Durability::Process,
        }
    }
}

/// One transaction on the writing connection: a savepoint inside the group's transaction.
///
/// Dropped without [`WriteTx::commit`], also in the middle of a statement, it only marks the connection as dirty; the
/// next holder of the connection rolls it back first.
pub(in crate::store) struct WriteTx {
    /// `None` once the transaction has ended.
    slot: Option<OwnedMutexGuard<Slot>>,
    writer: Arc<Writer>,
    savepoint: bool,
    group_lost: bool,
}

impl WriteTx {
    pub(super) async fn begin(writer: &Arc<Writer>, mode: WriteMode) -> Result<Self> {
        let asked_at = Instant::now();
        let savepoint = mode == WriteMode::Several;
        let (slot, durability) = writer.take(mode.durability()).await?;
        if slot.was_busy_since(asked_at) {
            return Err(StoreError::NotCommitted("another process holds the database".to_owned()));
        }
        let opened = slot.state() == SlotState::Open;
        // From here on the transaction owns the guard, and its drop cleans up should this future be dropped.
        let mut write_tx = Self { slot: Some(slot), writer: writer.clone(), savepoint, group_lost: false };
        if !opened {
            write_tx.group_lost = true;
            write_tx.begin_group(durability).await?;
            write_tx.group_lost = false;
        }
        if savepoint {
            write_tx.run("SAVEPOINT turn").await?;
        }
        Ok(write_tx)
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

    pub(in crate::store) fn connection(&mut self) -> Result<&mut SqliteConnection> {
        self.slot.as_mut().map(|slot| slot.connection()).ok_or(StoreError::Poisoned)
    }

    /// Whether the last commits failed, as on a full disk.
    pub(in crate::store) fn is_refusing(&self) -> bool {
        self.slot.as_ref().is_some_and(|slot| slot.is_refusing())
    }

    /// Records that the engine may have rolled back the whole group.
    pub(in crate::store) fn abandon_group(&mut self) {
        self.group_lost = true;
    }

    /// Joins the group commit, and returns when it is durable.
    pub(in crate::store) async fn commit(mut self) -> Result<()> {
        if self.savepoint {
            self.run("RELEASE turn").await?;
        }
        let (ticket, answer) = oneshot::channel();
        if let Some(mut slot) = self.slot.take() {
            slot.join_group(ticket);
        }
        self.writer.wake_committer();
        match answer.await {
            Ok(outcome) => outcome.map_err(StoreError::from),
            Err(_) => Err(StoreError::NotCommitted("the database was closed".to_owned())),
        }
    }
}

impl Drop for WriteTx {
    fn drop(&mut self) {
        if let Some(slot) = &mut self.slot {
            let undoable = self.savepoint && !self.group_lost;
            slot.leave(if undoable { SlotState::Dirty } else { SlotState::Lost });
            self.writer.wake_committer();
        }
    }
}

#[cfg(test)]
#[path = "write_tx_tests.rs"]
mod tests;
