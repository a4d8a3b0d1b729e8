//! The whole service of one process: listeners, background tasks, delivery workers, and the order of their end.

use crate::app::App;
use crate::background::Background;
use crate::http::{Server, metrics};
use crate::outbox::{DelivererError, Figures, Workers};
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
    let workers = match &app.settings.webhooks {
        Some(webhooks) => Some(Workers::start(app.store.clone(), &app.settings.name, webhooks.clone())?),
        None => None,
    };
    let metrics = Metrics::start(&app, workers.as_ref().map(|workers| workers.figures().clone())).await?;
    let background = Background::start(&app);
    server.run(shutdown).await;
    if let Some(workers) = workers {
        workers.shutdown().await;
    }
    background.stop().await;
    if let Some(metrics) = metrics {
        metrics.stop().await;
    }
    app.store.close().await;
    Ok(())
}

/// The running listener of the metrics.
struct Metrics {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Metrics {
    async fn start(app: &Arc<App>, figures: Option<Arc<Figures>>) -> Result<Option<Self>, ServiceError> {
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
