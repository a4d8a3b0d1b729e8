//! The delivery of webhooks: from the outbox to the receiver, at least once, oldest first.
//!
//! ```text
//! claimer ──batches──▶ dispatcher ──≤ worker_count POSTs──▶ settler
//!    ▲ bell, NOTIFY, 1 s poll                                  │ many outcomes a transaction
//!    └──────────────── outbox ◀────────────────────────────────┘   reaper, cleaner, watch
//! ```
//!
//! - The **claimer** takes what is due, in batches no larger than what is delivered in a second or in a quarter of the
//!   lease ([`pace`]). A claim uses up nothing.
//! - The **dispatcher** begins attempts, which is when `attempts` rises and the lease starts anew, and has each sent as
//!   soon as one of `worker_count` slots is free. Only when deliveries are fast does it begin more than there are free
//!   slots, so that the commit of the next ones overlaps with the sending of these.
//! - A delivery whose last attempt was begun and never settled may have killed its process. It is sent **alone**: no
//!   other is under way or unwritten, so that one deadly event uses up no attempts but its own.
//! - The **settler** writes down what came of attempts, many in one transaction, each guarded by its lease: where the
//!   reaper has taken the claim back, nothing is written.
//! - The **reaper** takes back claims of dead processes; the **cleaner** removes what is finished and old; the
//!   **watch** warns when events are overdue.
//!
//! An event is stored only if its kind is enabled at that moment, and sent only if it is enabled when its turn comes:
//! one that was disabled in between ends `failed`, with an attempt that says `disabled` and used up none, so the
//! operator finds it and can send it again. A kind that this version does not know was stored by a newer process on the
//! same database and is sent. While webhooks are not configured at all, nothing runs and stored events wait.
//!
//! An error of the database never ends a task: it is logged, and the task tries again after 100 ms, 200 ms, … 5 s.

mod backoff;
mod claimer;
mod classify;
mod cleaner;
mod deliver;
mod dispatcher;
mod figures;
mod held;
mod herald;
mod histogram;
mod pace;
mod ping;
mod reaper;
mod request;
mod retry;
mod retry_after;
mod settler;
mod shipment;
mod stop;
#[cfg(test)]
mod testing;
mod watch;

pub use deliver::DelivererError;
pub use figures::{Counter, Figures, Outcomes};
pub use histogram::Histogram;
pub use ping::{Answer, Exchange, PING, PingError, ping};

use crate::settings::{ServiceName, Webhooks};
use crate::store::Store;
use deliver::Deliverer;
use pace::Pace;
use std::sync::Arc;
use stop::Stopper;
use tokio::sync::{Notify, Semaphore, mpsc};
use tokio::task::JoinSet;

/// What all tasks of the pool share.
struct Pool {
    store: Store,
    settings: Arc<Webhooks>,
    figures: Arc<Figures>,
    pace: Pace,
    /// One permit for each POST that may be under way.
    slots: Arc<Semaphore>,
    /// Rung when other processes should look into the outbox too.
    herald: Notify,
    /// Rung when another process said that there is something in the outbox.
    heard: Notify,
}

/// The running delivery of webhooks. Dropped without [`Workers::shutdown`], it ends as a killed process does.
pub struct Workers {
    stopper: Stopper,
    tasks: JoinSet<()>,
    figures: Arc<Figures>,
}

impl Workers {
    /// Begins to deliver what stands in the outbox.
    pub fn start(store: Store, name: &ServiceName, settings: Arc<Webhooks>) -> Result<Self, DelivererError> {
        let deliverer = Arc::new(Deliverer::new(name, &settings, store.clock().clone())?);
        let figures = Arc::new(Figures::default());
        let pool = Arc::new(Pool {
            pace: Pace::new(&settings),
            slots: Arc::new(Semaphore::new(slots(&settings))),
            store,
            settings,
            figures: figures.clone(),
            herald: Notify::new(),
            heard: Notify::new(),
        });
        let (stopper, stop) = stop::channel();
        let mut tasks = JoinSet::new();
        // One batch waits here while the dispatcher works on another.
        let (claims, claimed) = mpsc::channel(1);
        let (reports, reported) = mpsc::unbounded_channel();
        tasks.spawn(claimer::run(pool.clone(), claims, stop.clone()));
        tasks.spawn(dispatcher::Dispatcher::new(pool.clone(), deliverer, reports, claimed, stop.clone()).run());
        tasks.spawn(settler::run(pool.clone(), reported, stop.clone()));
        tasks.spawn(reaper::run(pool.clone(), stop.clone()));
        tasks.spawn(cleaner::run(pool.clone(), stop.clone()));
        tasks.spawn(watch::run(pool.clone(), stop.clone()));
        if !pool.store.is_sqlite() {
            herald::spawn(&mut tasks, &pool, &stop);
        }
        Ok(Self { stopper, tasks, figures })
    }

    /// What was done so far.
    pub fn figures(&self) -> &Arc<Figures> {
        &self.figures
    }

    /// Ends the delivery: no new claims; what runs gets its timeout to finish and is written down; what was claimed but
    /// not sent goes back.
    pub async fn shutdown(mut self) {
        self.stopper.stop();
        while let Some(ended) = self.tasks.join_next().await {
            if let Err(error) = ended {
                tracing::error!(error = %error, "a task of the webhook delivery ended badly");
            }
        }
    }
}

/// How many POSTs may be under way at once.
fn slots(settings: &Webhooks) -> usize {
    const MOST: usize = 4096;
    settings.worker_count.clamp(1, MOST)
}
