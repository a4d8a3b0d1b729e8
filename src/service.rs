//! The whole service of one process: listener, background tasks, delivery workers, and the order of their end.

use crate::app::App;
use crate::background::Background;
use crate::http::Server;
use crate::outbox::{DelivererError, Workers};
use std::sync::Arc;

/// Serves until `shutdown` is done, then ends in the order in which work flows: no new requests, no new deliveries,
/// the last notes, the database.
pub async fn run(app: Arc<App>, server: Server, shutdown: impl Future<Output = ()>) -> Result<(), DelivererError> {
    let workers = match &app.settings.webhooks {
        Some(webhooks) => Some(Workers::start(app.store.clone(), &app.settings.name, webhooks.clone())?),
        None => None,
    };
    let background = Background::start(&app);
    server.run(shutdown).await;
    if let Some(workers) = workers {
        workers.shutdown().await;
    }
    background.stop().await;
    app.store.close().await;
    Ok(())
}
