//! The delivery of webhooks and emails: from the outbox to the receiver, at least once, oldest first.
//!
//! Each channel has a pool of tasks, with a [`policy`] for timeouts, retries and retention, and a [`transport`] that
//! makes the attempts.
//!
//! ```text
//! claimer ──batches──▶ dispatcher ──≤ slots attempts──▶ settler
//!    ▲ wakeup, NOTIFY, 1 s poll                                │ many results per transaction
//!    └──────────────── outbox ◀────────────────────────────────┘   reaper, cleaner, watch
//! ```
//!
//! - The **claimer** claims what is due, in batches no larger than what is delivered in a second or in a quarter of the
//!   lease ([`throttle`]). A claim alone uses up no attempt.
//! - The **dispatcher** starts attempts, which increments `attempts` and restarts the lease, and sends each as soon as
//!   a slot is free; a slot whose attempt has ended takes the next ready one. Only when deliveries are fast does it
//!   start more than there are free slots, so that the commit of the next ones overlaps with the sending of these.
//! - A delivery whose last attempt was started and never settled may have crashed its process. It is sent **alone**: no
//!   other is in progress or unsettled, so that a poison message uses up no attempts but its own.
//! - The **settler** records the results of attempts, many in one transaction. The lease is a fencing token: if the
//!   reaper has taken the claim back, nothing is written.
//! - The **reaper** takes back claims of dead processes; the **cleaner** removes finished deliveries after their
//!   retention; the **watch** warns when deliveries are overdue.
//!
//! An event is stored only if its kind is enabled at that moment, and sent only if it is still enabled when it is
//! claimed. One that was disabled in between ends `failed`, with an attempt of class `disabled` that uses up none, so
//! the operator finds it and can replay it. A kind that this version does not know was stored by a newer process on the
//! same database and is sent. While webhooks are not configured, nothing runs and stored events wait.
//!
//! A database error never ends a task: it is logged, and the task retries after 100 ms, 200 ms, … 5 s (exponential
//! backoff).

mod attempt;
mod attempt_result;
mod backoff;
mod claimer;
mod claims;
mod classify;
mod cleaner;
mod deliver;
mod dispatcher;
mod mail;
mod notify;
mod outcome_log;
mod ping;
mod policy;
mod pool;
mod ready_queue;
mod reaper;
mod report;
mod request;
mod retry;
mod settler;
mod shutdown;
#[cfg(test)]
mod testing;
mod throttle;
mod transport;
mod watch;

pub use classify::RequestOutcome;
pub use deliver::answered;
pub use ping::{Exchange, PingError, PingOutcome, ShownHeader, ping};
pub use request::DelivererError;
pub use retry::next;

use crate::context::App;
use crate::mail::{Mailer, MailerError, SmtpOutcome};
use crate::metrics::{DeliveryMetrics, Metrics, MetricsError};
use crate::model::principal::Principal;
use crate::settings::{ServiceName, SmtpSettings, WebhookSettings};
use crate::store::{Channel, Store};
use deliver::Deliverer;
use mail::{MailTransport, Recipient};
use policy::DeliveryPolicy;
use pool::Pool;
use ready_queue::ReadyQueue;
use shutdown::{Shutdown, ShutdownTrigger};
use std::sync::Arc;
use throttle::Throttle;
use tokio::sync::{Notify, Semaphore, mpsc};
use tokio::task::JoinSet;
use transport::Transport;

/// The metrics of a channel's workers, of which a process has one set.
pub fn metrics_of(metrics: &Metrics, channel: Channel) -> Result<Arc<DeliveryMetrics>, MetricsError> {
    let classes: &[&str] = match channel {
        Channel::Webhook => &classify::CLASSES,
        Channel::Mail => &SmtpOutcome::CLASSES,
    };
    metrics.delivery((channel.as_str(), channel.plural()), classes)
}

/// The running tasks of one channel. Dropping it without [`Workers::shutdown`] ends them as a crash would.
pub struct Workers {
    trigger: ShutdownTrigger,
    tasks: JoinSet<()>,
    metrics: Arc<DeliveryMetrics>,
}

impl Workers {
    /// Starts delivering the webhooks in the outbox.
    pub fn start(
        store: &Store,
        name: &ServiceName,
        settings: Arc<WebhookSettings>,
        metrics: Arc<DeliveryMetrics>,
    ) -> Result<Self, DelivererError> {
        let policy = DeliveryPolicy::webhooks(&settings);
        let deliverer = Deliverer::new(name, settings, store.clock().clone())?;
        let (trigger, shutdown) = shutdown::channel();
        Ok(Self::run(store, policy, Transport::Webhook(Box::new(deliverer)), metrics, (trigger, shutdown)))
    }

    /// Starts delivering the emails in the outbox.
    pub fn start_mail(app: &Arc<App>, smtp: &SmtpSettings, metrics: Arc<DeliveryMetrics>) -> Result<Self, MailerError> {
        let mailer = Mailer::new(smtp, app.settings.server.base_url.host(), &app.settings.pages.brand)?;
        Ok(Self::run_mail(app, DeliveryPolicy::mail(smtp), Recipient::Server(Box::new(mailer)), metrics))
    }

    /// Starts delivering the emails in the outbox to this process itself.
    pub fn start_local_mail(app: &Arc<App>, metrics: Arc<DeliveryMetrics>) -> Self {
        Self::run_mail(app, DeliveryPolicy::local_mail(), Recipient::ThisProcess, metrics)
    }

    fn run_mail(app: &Arc<App>, policy: DeliveryPolicy, recipient: Recipient, metrics: Arc<DeliveryMetrics>) -> Self {
        let (trigger, shutdown) = shutdown::channel();
        let transport = Transport::Mail(Box::new(MailTransport::new(app.clone(), recipient, shutdown.clone())));
        Self::run(&app.store, policy, transport, metrics, (trigger, shutdown))
    }

    fn run(
        store: &Store,
        policy: DeliveryPolicy,
        transport: Transport,
        metrics: Arc<DeliveryMetrics>,
        (trigger, shutdown): (ShutdownTrigger, Shutdown),
    ) -> Self {
        let transport = Arc::new(transport);
        let pool = Arc::new(Pool {
            throttle: Throttle::new(&policy),
            slots: Arc::new(Semaphore::new(policy.slots)),
            ready: ReadyQueue::default(),
            store: store.clone(),
            principal: Principal::process(pool::PERMISSIONS),
            policy,
            metrics: metrics.clone(),
            local_wakeup: Notify::new(),
            remote_wakeup: Notify::new(),
            turn_passed: Notify::new(),
        });
        let mut tasks = JoinSet::new();
        // One batch waits here while the dispatcher works on another.
        let (claims, claimed) = mpsc::channel(1);
        let (reports, reported) = mpsc::unbounded_channel();
        tasks.spawn(claimer::run(pool.clone(), claims, shutdown.clone()));
        tasks.spawn(dispatcher::Dispatcher::new(pool.clone(), transport, reports, claimed, shutdown.clone()).run());
        tasks.spawn(settler::run(pool.clone(), reported, shutdown.clone()));
        tasks.spawn(reaper::run(pool.clone(), shutdown.clone()));
        tasks.spawn(cleaner::run(pool.clone(), shutdown.clone()));
        tasks.spawn(watch::run(pool.clone(), shutdown.clone()));
        if !pool.store.is_sqlite() {
            notify::spawn(&mut tasks, &pool, &shutdown);
        }
        Self { trigger, tasks, metrics }
    }

    pub fn metrics(&self) -> &Arc<DeliveryMetrics> {
        &self.metrics
    }

    /// Graceful shutdown: no new claims; attempts in progress get their timeout to finish and are settled; what was
    /// claimed but not sent is released.
    pub async fn shutdown(mut self) {
        self.trigger.trigger();
        while let Some(ended) = self.tasks.join_next().await {
            if let Err(error) = ended {
                tracing::error!(error = %error, "a task of the outbox panicked");
            }
        }
    }
}
