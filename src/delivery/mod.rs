//! The delivery of webhooks and mails: from the outbox to the receiver, at least once, oldest first.
//!
//! One engine, two channels: a pool for each, with a [`policy`] that says how patiently, and a [`carrier`] that makes the
//! attempts.
//!
//! ```text
//! claimer ──batches──▶ dispatcher ──≤ slots attempts──▶ settler
//!    ▲ bell, NOTIFY, 1 s poll                                  │ many outcomes a transaction
//!    └──────────────── outbox ◀────────────────────────────────┘   reaper, cleaner, watch
//! ```
//!
//! - The **claimer** takes what is due, in batches no larger than what is delivered in a second or in a quarter of the
//!   lease ([`pace`]). A claim uses up nothing.
//! - The **dispatcher** begins attempts, which is when `attempts` rises and the lease starts anew, and has each sent as
//!   soon as a slot is free; a slot whose attempt is over goes on with the next one begun. Only when deliveries are fast does it begin more than there are free
//!   slots, so that the commit of the next ones overlaps with the sending of these.
//! - A delivery whose last attempt was begun and never settled may have killed its process. It is sent **alone**: no
//!   other is under way or unwritten, so that one deadly event uses up no attempts but its own.
//! - The **settler** writes down what came of attempts, many in one transaction, each guarded by its lease: where the
//!   reaper has taken the claim back, nothing is written.
//! - The **reaper** takes back claims of dead processes; the **cleaner** removes what is finished and old; the
//!   **watch** warns when deliveries are overdue.
//!
//! An event is stored only if its kind is enabled at that moment, and sent only if it is enabled when its turn comes:
//! one that was disabled in between ends `failed`, with an attempt that says `disabled` and used up none, so the
//! operator finds it and can send it again. A kind that this version does not know was stored by a newer process on the
//! same database and is sent. While webhooks are not configured at all, nothing runs and stored events wait.
//!
//! An error of the database never ends a task: it is logged, and the task tries again after 100 ms, 200 ms, … 5 s.

mod backoff;
mod carrier;
mod claimer;
mod classify;
mod cleaner;
mod deliver;
mod dispatcher;
mod figures;
mod held;
mod herald;
mod histogram;
mod mail;
mod pace;
mod ping;
mod policy;
mod pool;
mod reaper;
mod report;
mod request;
mod retry;
mod retry_after;
mod settler;
mod shipment;
mod started;
mod stop;
#[cfg(test)]
mod testing;
mod verdict;
mod watch;

pub use figures::{Figures, Outcomes};
pub use histogram::{Counter, Histogram};
pub use ping::{Answer, Exchange, PING, PingError, ping};
pub use request::DelivererError;

use crate::context::App;
use crate::mail::{Mailer, MailerError};
use crate::settings::{ServiceName, Smtp, Webhooks};
use crate::store::Store;
use carrier::Carrier;
use deliver::Deliverer;
use mail::MailCarrier;
use pace::Pace;
use policy::Policy;
use pool::Pool;
use started::Started;
use std::sync::Arc;
use stop::{Stop, Stopper};
use tokio::sync::{Notify, Semaphore, mpsc};
use tokio::task::JoinSet;

/// The running deliveries of one channel. Dropped without [`Workers::shutdown`], it ends as a killed process does.
pub struct Workers {
    stopper: Stopper,
    tasks: JoinSet<()>,
    figures: Arc<Figures>,
}

impl Workers {
    /// Begins to deliver the webhooks that stand in the outbox.
    pub fn start(store: &Store, name: &ServiceName, settings: Arc<Webhooks>) -> Result<Self, DelivererError> {
        let policy = Policy::webhooks(&settings);
        let deliverer = Deliverer::new(name, settings, store.clock().clone())?;
        Ok(Self::run(store, policy, Carrier::Webhook(Box::new(deliverer)), stop::channel()))
    }

    /// Begins to deliver the mails that stand in the outbox.
    pub fn start_mail(app: &Arc<App>, smtp: &Smtp) -> Result<Self, MailerError> {
        let mailer = Mailer::new(smtp, app.settings.server.base_url.host())?;
        let (stopper, stop) = stop::channel();
        let carrier = MailCarrier::new(app.clone(), mailer, stop.clone());
        Ok(Self::run(&app.store, Policy::mail(smtp), Carrier::Mail(Box::new(carrier)), (stopper, stop)))
    }

    fn run(store: &Store, policy: Policy, carrier: Carrier, (stopper, stop): (Stopper, Stop)) -> Self {
        let carrier = Arc::new(carrier);
        let figures = Arc::new(Figures::new(carrier.classes()));
        let pool = Arc::new(Pool {
            pace: Pace::new(&policy),
            slots: Arc::new(Semaphore::new(policy.slots)),
            started: Started::default(),
            store: store.clone(),
            policy,
            figures: figures.clone(),
            herald: Notify::new(),
            heard: Notify::new(),
        });
        let mut tasks = JoinSet::new();
        // One batch waits here while the dispatcher works on another.
        let (claims, claimed) = mpsc::channel(1);
        let (reports, reported) = mpsc::unbounded_channel();
        tasks.spawn(claimer::run(pool.clone(), claims, stop.clone()));
        tasks.spawn(dispatcher::Dispatcher::new(pool.clone(), carrier, reports, claimed, stop.clone()).run());
        tasks.spawn(settler::run(pool.clone(), reported, stop.clone()));
        tasks.spawn(reaper::run(pool.clone(), stop.clone()));
        tasks.spawn(cleaner::run(pool.clone(), stop.clone()));
        tasks.spawn(watch::run(pool.clone(), stop.clone()));
        if !pool.store.is_sqlite() {
            herald::spawn(&mut tasks, &pool, &stop);
        }
        Self { stopper, tasks, figures }
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
                tracing::error!(error = %error, "a task of the outbox ended badly");
            }
        }
    }
}
