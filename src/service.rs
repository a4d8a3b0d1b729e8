//! The service of a process: listeners, background tasks, delivery workers, and their graceful shutdown.

use crate::background::{self, Background};
use crate::context::App;
use crate::delivery::{DelivererError, Workers, metrics_of};
use crate::domain::account::stored_addresses;
use crate::domain::dev_session;
use crate::domain::keys;
use crate::error::Error;
use crate::http::{Server, metrics};
use crate::mail::MailerError;
use crate::metrics::MetricsError;
use crate::model::principal::{Operation, Principal};
use crate::store::{Channel, DeliveryState, StoreError};
use crate::traces::TracesError;
use sd_notify::NotifyState;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// For the whole shutdown, so that no supervisor has to kill the process.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(35);

/// While a start works, systemd is told so this often…
const START_INTERVAL: Duration = Duration::from_secs(3);
/// …and waits for this time more, beyond the usual 90 seconds too.
const START_EXTENSION: Duration = Duration::from_secs(15);

const CATCH_UP_INTERVAL: Duration = Duration::from_millis(5);
const CATCH_UP_TIMEOUT: Duration = Duration::from_secs(5);

/// Why a part of the service did not start.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    #[error("the signing key for another algorithm was not created: {0}")]
    Keys(#[from] Error),
    /// The addresses that an older version stored.
    #[error("the domains of stored email addresses were not converted: {0}")]
    Addresses(Error),
    /// The base URL that sessions for developers go by.
    #[error("the base URL was not noted in the database: {0}")]
    BaseUrl(Error),
    #[error(transparent)]
    Deliverer(#[from] DelivererError),
    #[error(transparent)]
    Mailer(#[from] MailerError),
    #[error("the metrics: {0}")]
    Counters(#[from] MetricsError),
    #[error(transparent)]
    Traces(#[from] TracesError),
    #[error("{variable}: could not listen on {address}: {error}")]
    Metrics { variable: String, address: SocketAddr, error: std::io::Error },
}

/// Serves until `shutdown` completes, then shuts down in the order of the work flow: requests, deliveries, background
/// tasks with their last records, metrics, traces, the database.
pub async fn run(app: Arc<App>, server: Server, shutdown: impl Future<Output = ()>) -> Result<(), ServiceError> {
    keys::follow_algorithm(&app).await?;
    dev_session::note_base_url(&app).await.map_err(ServiceError::BaseUrl)?;
    starting(stored_addresses::convert(&app)).await.map_err(ServiceError::Addresses)?;
    app.traces.start()?;
    let deliveries = Deliveries::start(&app)?;
    let metrics = MetricsListener::start(&app, deliveries.channels()).await?;
    let background = Background::start(&app);
    let (signal, signalled) = oneshot::channel();
    let orderly = async {
        let shutdown = async {
            shutdown.await;
            tell_supervisor(NotifyState::Stopping);
            // Cannot fail: what receives it waits in the same `select!`.
            let _ = signal.send(());
        };
        tell_supervisor(NotifyState::Ready);
        server.run(shutdown).await;
        deliveries.shutdown().await;
        background.stop().await;
        if let Some(metrics) = metrics {
            metrics.stop().await;
        }
        app.traces.stop().await;
        app.store.close().await;
    };
    tokio::select! {
        () = orderly => {}
        () = too_late(signalled) => tracing::warn!("the shutdown took too long: work in progress is dropped"),
    }
    Ok(())
}

/// Does now what is due, as the clock was moved or someone looks: periodic work, then deliveries. Of those that wait for
/// others, or for a receiver that hangs, it waits for none longer than [`CATCH_UP_TIMEOUT`].
pub async fn catch_up(app: Arc<App>) {
    background::catch_up(&app).await;
    let nothing_is_due = async {
        while deliveries_are_due(&app).await.unwrap_or(false) {
            tokio::time::sleep(CATCH_UP_INTERVAL).await;
        }
    };
    let _ = tokio::time::timeout(CATCH_UP_TIMEOUT, nothing_is_due).await;
}

/// Whether deliveries are due that no worker has begun, or emails that are not delivered. Wakes their workers.
async fn deliveries_are_due(app: &App) -> Result<bool, StoreError> {
    let process = Principal::process(&[Operation::Deliver]);
    let mut conn = app.store.read(&process, Operation::Deliver).await?;
    let webhooks = app.settings.webhooks.as_ref().map(|_| Channel::Webhook);
    let mails = app.settings.mail.is_delivered().then_some(Channel::Mail);
    let mut is_due = false;
    for channel in webhooks.into_iter().chain(mails) {
        app.store.outbox_wakeup(channel).notify_one();
        for queue in channel.queues() {
            is_due |= conn.outbox_count_due(*queue, Duration::ZERO, 1).await? > 0;
            let is_mail = channel == Channel::Mail;
            is_due |= is_mail && conn.outbox_count(*queue, DeliveryState::Processing, 1).await? > 0;
        }
    }
    Ok(is_due)
}

/// Does a part of the start that takes as long as it takes, such as the steps of the schema.
pub async fn starting<T>(work: impl Future<Output = T>) -> T {
    let extend = async {
        let micros = u32::try_from(START_EXTENSION.as_micros()).unwrap_or(u32::MAX);
        loop {
            tokio::time::sleep(START_INTERVAL).await;
            tell_supervisor(NotifyState::ExtendTimeoutUsec(micros));
        }
    };
    tokio::select! {
        done = work => done,
        () = extend => std::future::pending().await,
    }
}

/// Tells systemd, which starts what waits for the service and bounds its end. Without systemd it does nothing.
fn tell_supervisor(state: NotifyState) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!("NOTIFY_SOCKET: systemd was not told: {error}");
    }
}

/// Returns when the shutdown must be over.
async fn too_late(signalled: oneshot::Receiver<()>) {
    if signalled.await.is_err() {
        std::future::pending::<()>().await;
    }
    tokio::time::sleep(SHUTDOWN_TIMEOUT).await;
}

/// The running deliveries of each channel that is configured.
struct Deliveries(Vec<(Channel, Workers)>);

impl Deliveries {
    fn start(app: &Arc<App>) -> Result<Self, ServiceError> {
        let mut running = Vec::new();
        if let Some(webhooks) = &app.settings.webhooks {
            let metrics = metrics_of(&app.metrics, Channel::Webhook)?;
            let workers = Workers::start(&app.store, &app.settings.name, webhooks.clone(), metrics)?;
            running.push((Channel::Webhook, workers));
        }
        let mail = &app.settings.mail;
        if mail.is_delivered() {
            let metrics = metrics_of(&app.metrics, Channel::Mail)?;
            let workers = match &mail.smtp {
                Some(smtp) => Workers::start_mail(app, smtp, metrics)?,
                None => Workers::start_local_mail(app, metrics),
            };
            running.push((Channel::Mail, workers));
        }
        Ok(Self(running))
    }

    fn channels(&self) -> Vec<Channel> {
        self.0.iter().map(|(channel, _)| *channel).collect()
    }

    /// Shuts down all channels at once, as each may wait for its attempts in progress.
    async fn shutdown(self) {
        let mut tasks = tokio::task::JoinSet::new();
        for (_, workers) in self.0 {
            tasks.spawn(workers.shutdown());
        }
        while tasks.join_next().await.is_some() {}
    }
}

struct MetricsListener {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl MetricsListener {
    async fn start(app: &Arc<App>, channels: Vec<Channel>) -> Result<Option<Self>, ServiceError> {
        let Some(address) = app.settings.server.metrics_listen else { return Ok(None) };
        let server = metrics::bind(address, app, channels).await.map_err(|error| ServiceError::Metrics {
            variable: app.settings.name.variable("METRICS_LISTEN"),
            address,
            error,
        })?;
        let (stop, stopped) = oneshot::channel();
        Ok(Some(Self { stop, task: tokio::spawn(server.run(async { drop(stopped.await) })) }))
    }

    async fn stop(self) {
        // An error means that it has ended already.
        let _ = self.stop.send(());
        let _ = self.task.await;
    }
}
