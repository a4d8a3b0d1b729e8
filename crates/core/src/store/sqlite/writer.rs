//! The one writing connection, and the task that commits what was written on it (group commit).
//!
//! Transactions run one after the other on the connection inside one SQLite transaction, the group. A finished one
//! leaves a ticket and hands the connection to the next; the committer queues for the connection as well, so every
//! transaction that queued before it joins the group, then it issues the one COMMIT, and so the one sync, for all, and
//! answers the tickets.
//!
//! A group that contains leases only is committed without a sync
//! (docs/concepts/decisions/0008-leases-without-a-sync.md).

use super::errors::{ends_transaction, not_committed};
use super::refusals::{Refusals, Uncommitted};
use crate::store::waiter::Waiter;
use crate::store::{Result, StoreError};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, SqliteConnection};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tokio::sync::{Mutex, Notify, OwnedMutexGuard, oneshot};
use tokio::time::Instant;

/// The answer to one transaction: whether the group's COMMIT was durable, else why not.
pub(super) type Ticket = oneshot::Sender<std::result::Result<(), Uncommitted>>;

/// What a group's commit survives once it is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Durability {
    /// The end of the process, whatever its reason.
    Process,
    /// A loss of power.
    Power,
}

impl Durability {
    /// Begins a group. SQLite changes the level between transactions only, when it compiles the statement.
    const fn begin(self) -> &'static str {
        match self {
            Durability::Process => "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE",
            Durability::Power => "PRAGMA synchronous = FULL; BEGIN IMMEDIATE",
        }
    }
}

pub(super) struct Writer {
    slot: Arc<Mutex<Slot>>,
    wake: Notify,
    closing: AtomicBool,
    closed: Notify,
    waiting: AtomicUsize,
}

/// The connection and the open group; a transaction holds its lock while it runs.
pub(super) struct Slot {
    connection: SqliteConnection,
    options: SqliteConnectOptions,
    state: SlotState,
    /// That of the open group, or of the last one.
    durability: Durability,
    tickets: Vec<Ticket>,
    /// When a transaction last could not begin.
    busy_at: Option<Instant>,
    refusals: Refusals,
}

/// The state of the connection between two transactions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SlotState {
    Idle,
    /// The group's transaction is open and contains only finished transactions.
    Open,
    /// A transaction was dropped: its savepoint must be rolled back before the next one begins.
    Dirty,
    /// The whole group must be rolled back.
    Lost,
}

impl Writer {
    pub(super) async fn open(options: SqliteConnectOptions) -> Result<Arc<Self>> {
        let slot = Slot {
            connection: options.connect().await?,
            options,
            state: SlotState::Idle,
            durability: Durability::Power,
            tickets: Vec::new(),
            busy_at: None,
            refusals: Refusals::default(),
        };
        let writer = Arc::new(Self {
            slot: Arc::new(Mutex::new(slot)),
            wake: Notify::new(),
            closing: AtomicBool::new(false),
            closed: Notify::new(),
            waiting: AtomicUsize::new(0),
        });
        tokio::spawn(commit_groups(writer.clone()));
        Ok(writer)
    }

    /// Waits for the connection, first come, first served, and rolls back what the last holder may have left. Returns
    /// also the durability of a group that begins now; an open group of a lower durability is committed first.
    ///
    /// If the connection is taken, other transactions will join the group, some of which need the sync: a transaction
    /// that does not need it shares it with them, as a commit of its own would cost more than the wait.
    pub(super) async fn take(&self, durability: Durability) -> Result<(OwnedMutexGuard<Slot>, Durability)> {
        let (mut slot, of_group) = if let Ok(slot) = self.slot.clone().try_lock_owned() {
            (slot, durability)
        } else {
            let _waiting = Waiter::begin(&self.waiting);
            (self.slot.clone().lock_owned().await, Durability::Power)
        };
        slot.clean().await?;
        if slot.state != SlotState::Open || slot.durability >= durability {
            return Ok((slot, of_group));
        }
        // In a task of its own: this future may be dropped, and the group's tickets must be answered all the same.
        let committed = tokio::spawn(async move {
            slot.commit_group().await.answer();
            slot
        });
        let slot = committed.await.map_err(|error| StoreError::NotCommitted(error.to_string()))?;
        Ok((slot, of_group))
    }

    /// How many use the connection, and how many wait for it.
    pub(super) fn in_use_and_waiting(&self) -> (usize, usize) {
        (usize::from(self.slot.try_lock().is_err()), self.waiting.load(Ordering::Relaxed))
    }

    pub(super) fn wake_committer(&self) {
        self.wake.notify_one();
    }

    /// Commits what is left and ends the committer.
    pub(super) async fn close(&self) {
        let closed = self.closed.notified();
        if !self.closing.swap(true, Ordering::SeqCst) {
            self.wake.notify_one();
            closed.await;
        }
    }
}

async fn commit_groups(writer: Arc<Writer>) {
    loop {
        writer.wake.notified().await;
        let mut slot = writer.slot.clone().lock_owned().await;
        let committed = match slot.clean().await {
            Ok(()) => slot.commit_group().await,
            Err(_) => Committed::default(),
        };
        // The connection is free before the tickets are answered.
        drop(slot);
        committed.answer();
        if writer.closing.load(Ordering::SeqCst) {
            writer.closed.notify_waiters();
            return;
        }
    }
}

/// The outcome of a group's commit, for its tickets.
struct Committed {
    tickets: Vec<Ticket>,
    outcome: std::result::Result<(), Uncommitted>,
}

impl Default for Committed {
    fn default() -> Self {
        Self { tickets: Vec::new(), outcome: Ok(()) }
    }
}

impl Committed {
    fn answer(self) {
        for ticket in self.tickets {
            // The receiver is gone if the request's task was aborted.
            let _ = ticket.send(self.outcome.clone());
        }
    }
}

impl Slot {
    pub(super) fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.connection
    }

    /// Begins the transaction of a group. Records when that failed, after the whole busy timeout.
    pub(super) async fn begin_group(&mut self, durability: Durability) -> std::result::Result<(), sqlx::Error> {
        self.durability = durability;
        let begun = sqlx::raw_sql(durability.begin()).execute(&mut self.connection).await;
        if begun.is_err() {
            self.busy_at = Some(Instant::now());
        }
        begun.map(drop)
    }

    /// Whether the database was found busy after `asked_at`: a transaction that queued meanwhile fails too, as it would
    /// otherwise wait for the busy timeout once for each one before it.
    pub(super) fn was_busy_since(&self, asked_at: Instant) -> bool {
        self.busy_at.is_some_and(|busy_at| busy_at > asked_at)
    }

    /// Whether the last commits failed.
    pub(super) fn is_refusing(&self) -> bool {
        self.refusals.is_refusing()
    }

    pub(super) fn state(&self) -> SlotState {
        self.state
    }

    /// Sets the state that the next holder finds.
    pub(super) fn leave(&mut self, state: SlotState) {
        self.state = state;
    }

    /// Adds a finished transaction to the group.
    pub(super) fn join_group(&mut self, ticket: Ticket) {
        self.state = SlotState::Open;
        self.tickets.push(ticket);
    }

    pub(super) async fn run(&mut self, sql: &'static str) -> std::result::Result<(), sqlx::Error> {
        sqlx::query(sql).execute(&mut self.connection).await.map(drop)
    }

    /// Rolls a dropped transaction back, or the whole group if that is not possible.
    async fn clean(&mut self) -> Result<()> {
        if self.state == SlotState::Dirty {
            // Should this future be dropped half-way, the next holder starts from here.
            self.state = SlotState::Lost;
            let undone = self.run("ROLLBACK TO turn").await.is_ok() && self.run("RELEASE turn").await.is_ok();
            if undone {
                self.state = SlotState::Open;
            }
        }
        if self.state == SlotState::Lost {
            self.roll_back_group(&Uncommitted::Group("a transaction of the same group failed")).await?;
        }
        Ok(())
    }

    async fn commit_group(&mut self) -> Committed {
        if self.state != SlotState::Open {
            return Committed::default();
        }
        self.state = SlotState::Lost;
        let tickets = std::mem::take(&mut self.tickets);
        let Err(error) = self.run("COMMIT").await else {
            self.state = SlotState::Idle;
            self.refusals.committed();
            return Committed { tickets, outcome: Ok(()) };
        };
        self.refusals.failed(&error);
        let refusal = Uncommitted::Commit(error.to_string());
        if let Err(error) = self.roll_back_group(&refusal).await {
            tracing::error!(target: "doorward::store::sqlite::writer", error = %error, "the database did not roll back");
        }
        Committed { tickets, outcome: Err(refusal) }
    }

    async fn roll_back_group(&mut self, why: &Uncommitted) -> Result<()> {
        for ticket in self.tickets.drain(..) {
            let _ = ticket.send(Err(why.clone()));
        }
        // SQLite may have rolled back by itself; then ROLLBACK fails with ERROR.
        if let Err(error) = self.run("ROLLBACK").await
            && ends_transaction(&error)
        {
            self.connection = self.options.connect().await.map_err(|error| not_committed(&error))?;
        }
        self.state = SlotState::Idle;
        Ok(())
    }
}
