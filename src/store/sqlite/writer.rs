//! The one writing connection, and the task that commits what was written on it.
//!
//! Transactions take turns on the connection inside one SQLite transaction, the group. A turn that is done leaves a
//! ticket and makes room for the next; the committer queues for the connection like everyone else, so whoever asked
//! before it joins the group, then it issues the one COMMIT, and so the one sync, for all, and answers the tickets.
//!
//! A group that holds leases only is committed without a sync (docs/decisions/0008-leases-without-a-sync.md).

use super::{Result, StoreError, not_committed};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, SqliteConnection};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::{Mutex, Notify, OwnedMutexGuard, oneshot};
use tokio::time::Instant;

/// The answer to one transaction: whether the group's COMMIT was durable, else why not.
pub(super) type Ticket = oneshot::Sender<std::result::Result<(), String>>;

/// What a group's commit survives before it is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Durability {
    /// The end of the process, whatever its reason.
    Process,
    /// A loss of power.
    Power,
}

impl Durability {
    /// Begins a group. SQLite changes the level between transactions only, and does so while it compiles the statement.
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
}

/// What the holder of the turn works on.
pub(super) struct Slot {
    connection: SqliteConnection,
    options: SqliteConnectOptions,
    state: State,
    /// Of the open group, or the last one.
    durability: Durability,
    tickets: Vec<Ticket>,
    /// When a transaction last could not begin.
    busy_at: Option<Instant>,
}

/// What is known of the connection between two turns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// No transaction is open.
    Idle,
    /// The group's transaction is open and holds only finished turns.
    Open,
    /// A turn was dropped: its savepoint must go before anyone else works.
    Dirty,
    /// The whole group must be rolled back.
    Lost,
}

impl Writer {
    pub(super) async fn open(options: SqliteConnectOptions) -> Result<Arc<Self>> {
        let slot = Slot {
            connection: options.connect().await?,
            options,
            state: State::Idle,
            durability: Durability::Power,
            tickets: Vec::new(),
            busy_at: None,
        };
        let writer = Arc::new(Self {
            slot: Arc::new(Mutex::new(slot)),
            wake: Notify::new(),
            closing: AtomicBool::new(false),
            closed: Notify::new(),
        });
        tokio::spawn(commit_groups(writer.clone()));
        Ok(writer)
    }

    /// Waits for the connection, in the order of asking, and cleans up what the last holder may have left. Gives also what
    /// a group that begins now is to survive; one that survives less than asked for is committed before.
    ///
    /// Where the connection is taken, others will join the group, of whom some need the sync: who could do without shares
    /// it with them, as one commit less costs less than the wait.
    pub(super) async fn take(&self, durability: Durability) -> Result<(OwnedMutexGuard<Slot>, Durability)> {
        let (mut slot, of_group) = match self.slot.clone().try_lock_owned() {
            Ok(slot) => (slot, durability),
            Err(_) => (self.slot.clone().lock_owned().await, Durability::Power),
        };
        slot.clean().await?;
        if slot.state != State::Open || slot.durability >= durability {
            return Ok((slot, of_group));
        }
        // In a task of its own: whoever waits here may be dropped, and those of the group must hear that it is committed.
        let committed = tokio::spawn(async move {
            slot.commit_group().await.answer();
            slot
        });
        let slot = committed.await.map_err(|error| StoreError::NotCommitted(error.to_string()))?;
        Ok((slot, of_group))
    }

    /// Has the committer look at the connection.
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
        // Whoever is answered finds the connection free.
        drop(slot);
        committed.answer();
        if writer.closing.load(Ordering::SeqCst) {
            writer.closed.notify_waiters();
            return;
        }
    }
}

/// What came of a group, to be told to its transactions.
struct Committed {
    tickets: Vec<Ticket>,
    outcome: std::result::Result<(), String>,
}

impl Default for Committed {
    /// Nobody waited.
    fn default() -> Self {
        Self { tickets: Vec::new(), outcome: Ok(()) }
    }
}

impl Committed {
    fn answer(self) {
        for ticket in self.tickets {
            // Nobody listens where the request's task was aborted.
            let _ = ticket.send(self.outcome.clone());
        }
    }
}

impl Slot {
    pub(super) fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.connection
    }

    /// Begins the transaction of a group. Notes when that was not possible, after the whole time that one waits for.
    pub(super) async fn begin_group(&mut self, durability: Durability) -> std::result::Result<(), sqlx::Error> {
        self.durability = durability;
        let begun = sqlx::raw_sql(durability.begin()).execute(&mut self.connection).await;
        if begun.is_err() {
            self.busy_at = Some(Instant::now());
        }
        begun.map(drop)
    }

    /// Whether the database was found busy after `asked_at`: who waited meanwhile has waited long enough, and would
    /// else wait as long again for each one before.
    pub(super) fn was_busy_since(&self, asked_at: Instant) -> bool {
        self.busy_at.is_some_and(|busy_at| busy_at > asked_at)
    }

    pub(super) fn state(&self) -> State {
        self.state
    }

    /// Notes what is left for the next holder.
    pub(super) fn leave(&mut self, state: State) {
        self.state = state;
    }

    /// Leaves a finished turn in the group.
    pub(super) fn join_group(&mut self, ticket: Ticket) {
        self.state = State::Open;
        self.tickets.push(ticket);
    }

    pub(super) async fn run(&mut self, sql: &'static str) -> std::result::Result<(), sqlx::Error> {
        sqlx::query(sql).execute(&mut self.connection).await.map(drop)
    }

    /// Undoes a dropped turn, or the whole group where that is not possible.
    async fn clean(&mut self) -> Result<()> {
        if self.state == State::Dirty {
            // Should this future be dropped half-way, the next holder starts from here.
            self.state = State::Lost;
            let undone = self.run("ROLLBACK TO turn").await.is_ok() && self.run("RELEASE turn").await.is_ok();
            if undone {
                self.state = State::Open;
            }
        }
        if self.state == State::Lost {
            self.roll_back_group("a transaction of the same group failed").await?;
        }
        Ok(())
    }

    async fn commit_group(&mut self) -> Committed {
        if self.state != State::Open {
            return Committed::default();
        }
        self.state = State::Lost;
        let tickets = std::mem::take(&mut self.tickets);
        let Err(error) = self.run("COMMIT").await else {
            self.state = State::Idle;
            return Committed { tickets, outcome: Ok(()) };
        };
        tracing::error!(error = %error, "the database did not commit");
        if let Err(error) = self.roll_back_group(&error.to_string()).await {
            tracing::error!(error = %error, "the database did not roll back");
        }
        Committed { tickets, outcome: Err(error.to_string()) }
    }

    async fn roll_back_group(&mut self, why: &str) -> Result<()> {
        for ticket in self.tickets.drain(..) {
            let _ = ticket.send(Err(why.to_owned()));
        }
        // SQLite may have rolled back by itself; then there is nothing to roll back, and it says so with ERROR.
        if let Err(error) = self.run("ROLLBACK").await
            && super::ends_transaction(&error)
        {
            self.connection = self.options.connect().await.map_err(|error| not_committed(&error))?;
        }
        self.state = State::Idle;
        Ok(())
    }
}
