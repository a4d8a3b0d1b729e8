//! The HTTP listener: connection limits, timeouts and graceful shutdown.

use super::client::Peer;
use super::middleware::MAX_HEAD_BYTES;
use super::router::router;
use super::write_timeout::WriteTimeout;
use crate::context::App;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower_service::Service;

const MAX_HEADERS: usize = 100;
/// For reading the request head; also the idle timeout of a keep-alive connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(20);
/// A client that reads nothing of its response for this long is disconnected.
const WRITE_TIMEOUT: Duration = Duration::from_secs(20);
/// File descriptors reserved for the database, the log and the deliveries.
const RESERVED_FILES: u64 = 256;
/// For requests in flight at graceful shutdown.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);
/// Backoff after `accept` failed, for example for lack of file descriptors.
const ACCEPT_RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// A bound listener.
pub struct Server {
    listener: TcpListener,
    router: Router,
    /// One permit for each connection that may be open.
    permits: Arc<Semaphore>,
}

impl Server {
    /// Binds the configured address.
    pub async fn bind(app: &Arc<App>) -> io::Result<Self> {
        let listener = TcpListener::bind(app.settings.server.listen).await?;
        Ok(Self::with_router(listener, router(app)))
    }

    /// Serves another router on a bound listener.
    pub(super) fn with_router(listener: TcpListener, router: Router) -> Self {
        Self { listener, router, permits: Arc::new(Semaphore::new(max_connections())) }
    }

    /// The bound address, with the actual port if the settings have port 0.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `shutdown` completes, then waits for requests in flight.
    pub async fn run(self, shutdown: impl Future<Output = ()>) {
        let connections = GracefulShutdown::new();
        let mut shutdown = std::pin::pin!(shutdown);
        loop {
            let accepted = tokio::select! {
                accepted = accept(&self.listener, &self.permits) => accepted,
                () = &mut shutdown => break,
            };
            match accepted {
                Ok((stream, peer, permit)) => serve((stream, peer, permit), self.router.clone(), &connections),
                Err(error) => {
                    tracing::warn!("cannot accept a connection: {error}");
                    tokio::time::sleep(ACCEPT_RETRY_INTERVAL).await;
                }
            }
        }
        drop(self.listener);
        if tokio::time::timeout(DRAIN_TIMEOUT, connections.shutdown()).await.is_err() {
            tracing::warn!("graceful shutdown timed out with requests in flight");
        }
    }
}

/// The maximum number of open connections: the database needs file descriptors too.
fn max_connections() -> usize {
    let files = rlimit::getrlimit(rlimit::Resource::NOFILE).map_or(1024, |(soft, _)| soft);
    let connections = files.saturating_sub(RESERVED_FILES).max(files / 2);
    usize::try_from(connections).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS)
}

type Accepted = (TcpStream, SocketAddr, OwnedSemaphorePermit);

/// Accepts the next client; at the limit, clients wait in the operating system's backlog.
async fn accept(listener: &TcpListener, permits: &Arc<Semaphore>) -> io::Result<Accepted> {
    let permit = permits.clone().acquire_owned().await.map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    Ok((stream, peer, permit))
}

fn serve((stream, peer, permit): Accepted, router: Router, connections: &GracefulShutdown) {
    // Responses are small: Nagle's algorithm would only delay them.
    let _ = stream.set_nodelay(true);
    let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        let mut request: Request = request.map(Body::new);
        request.extensions_mut().insert(Peer(peer));
        let mut router = router.clone();
        async move {
            let response = Service::call(&mut router, request).await;
            Ok::<_, Infallible>(response.unwrap_or_else(|never| match never {}))
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(MAX_HEAD_BYTES)
        .max_headers(MAX_HEADERS)
        .serve_connection(TokioIo::new(WriteTimeout::new(stream, WRITE_TIMEOUT)), service);
    let connection = connections.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%peer, "connection: {error}");
        }
        drop(permit);
    });
}
