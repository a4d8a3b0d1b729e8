//! The whole service of one process: listeners, background tasks, delivery workers, and the order of their end.

use crate::background::Background;
use crate::context::App;
use crate::delivery::{DelivererError, Figures, Workers};
use crate::http::{Server, metrics};
use crate::mail::MailerError;
use crate::store::Channel;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Why a part of the service did not start.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The delivery of webhooks.
    #[error(transparent)]
    Deliverer(#[from] DelivererError),
    /// The delivery of mails.
    #[error(transparent)]
    Mailer(#[from] MailerError),
    /// The listener of the metrics.
    #[error("{variable}: {address} cannot be listened on: {error}")]
    Metrics {
        /// The variable that asks for it.
        variable: String,
        /// What it asks for.
        address: SocketAddr,
        /// What the system says.
        error: std::io::Error,
    },
}

/// Serves until `shutdown` is done, then ends in the order in which work flows: no new requests, no new deliveries,
/// the last notes, the last figures, the database.
pub async fn run(app: Arc<App>, server: Server, shutdown: impl Future<Output = ()>) -> Result<(), ServiceError> {
    let deliveries = Deliveries::start(&app)?;
    let metrics = Metrics::start(&app, deliveries.figures()).await?;
    let background = Background::start(&app);
    server.run(shutdown).await;
    deliveries.shutdown().await;
    background.stop().await;
    if let Some(metrics) = metrics {
        metrics.stop().await;
    }
    app.store.close().await;
    Ok(())
}

/// The running deliveries of each channel that is configured.
struct Deliveries(Vec<(Channel, Workers)>);

impl Deliveries {
    fn start(app: &Arc<App>) -> Result<Self, ServiceError> {
        let mut running = Vec::new();
        if let Some(webhooks) = &app.settings.webhooks {
            let workers = Workers::start(&app.store, &app.settings.name, webhooks.clone())?;
            running.push((Channel::Webhook, workers));
        }
        if let Some(smtp) = &app.settings.mail.smtp {
            running.push((Channel::Mail, Workers::start_mail(app, smtp)?));
        }
        Ok(Self(running))
    }

    fn figures(&self) -> Vec<(Channel, Arc<Figures>)> {
        self.0.iter().map(|(channel, workers)| (*channel, workers.figures().clone())).collect()
    }

    /// All at once, as each may wait for what it has under way.
    async fn shutdown(self) {
        let mut ending = tokio::task::JoinSet::new();
        for (_, workers) in self.0 {
            ending.spawn(workers.shutdown());
        }
        while ending.join_next().await.is_some() {}
    }
}

/// The running listener of the metrics.
struct Metrics {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Metrics {
    async fn start(app: &Arc<App>, figures: Vec<(Channel, Arc<Figures>)>) -> Result<Option<Self>, ServiceError> {
        let Some(address) = app.settings.server.metrics_listen else { return Ok(None) };
        let variable = || app.settings.name.variable("METRICS_LISTEN");
        let server = metrics::bind(address, app, figures).await.map_err(|error| ServiceError::Metrics {
            variable: variable(),
            address,
            error,
        })?;
        let (stop, stopped) = oneshot::channel();
        Ok(Some(Self { stop, task: tokio::spawn(server.run(async { drop(stopped.await) })) }))
    }

    async fn stop(self) {
        // Without a receiver it has ended already.
        let _ = self.stop.send(());
        let _ = self.task.await;
    }
}
