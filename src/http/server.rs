//! The HTTP listener: connection limits, timeouts and graceful shutdown.

use super::client;
use super::connection_limits::{ConnectionLimits, OpenConnection};
use super::middleware::MAX_HEAD_BYTES;
use super::request_id::{Arrival, RequestId};
use super::router::{of_test_double, router};
use super::test_double::TestDouble;
use super::write_timeout::WriteTimeout;
use crate::context::App;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use ipnet::IpNet;
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tower_service::Service;

const MAX_HEADERS: usize = 100;
/// For reading the request head; also the idle timeout of a keep-alive connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(20);
/// The same of trusted proxies, which send whole heads: longer than any of them keeps an idle connection (Envoy an hour,
/// AWS up to 4,000 seconds, Google 600), as a request that comes while it is closed is their 502.
const PROXY_HEAD_TIMEOUT: Duration = Duration::from_mins(70);
/// A client that reads nothing of its response for this long is disconnected.
const WRITE_TIMEOUT: Duration = Duration::from_secs(20);
/// For requests in flight at graceful shutdown.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);
/// Backoff after `accept` failed, for example for lack of file descriptors.
const ACCEPT_RETRY_INTERVAL: Duration = Duration::from_millis(50);

pub struct Server {
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    proxies: Vec<IpNet>,
}

impl Server {
    pub async fn bind(app: &Arc<App>) -> io::Result<Self> {
        let listener = TcpListener::bind(app.settings.server.listen).await?;
        let proxies = app.settings.server.trusted_proxies.clone();
        Ok(Self { listener, router: router(app), limits: ConnectionLimits::by_site(app), proxies })
    }

    /// The test double, on a bound listener.
    pub fn of_test_double(listener: TcpListener, app: &Arc<App>, double: TestDouble) -> Self {
        Self::with_router(listener, of_test_double(app, double))
    }

    /// Serves another router on a bound listener, where a site may have any number of connections.
    pub(super) fn with_router(listener: TcpListener, router: Router) -> Self {
        Self { listener, router, limits: ConnectionLimits::of_all(), proxies: Vec::new() }
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
                accepted = accept(&self.listener, &self.limits) => accepted,
                () = &mut shutdown => break,
            };
            match accepted {
                Ok(accepted) => serve(accepted, self.router.clone(), &self.proxies, &connections),
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

type Accepted = (TcpStream, SocketAddr, OpenConnection);

/// Accepts the next client; at the limit of all, clients wait in the operating system's backlog. Those beyond the limit
/// of their site are closed.
async fn accept(listener: &TcpListener, limits: &ConnectionLimits) -> io::Result<Accepted> {
    let mut permit = limits.wait().await?;
    loop {
        let (stream, peer) = listener.accept().await?;
        match limits.admit(permit, peer.ip()) {
            Ok(open) => return Ok((stream, peer, open)),
            Err(unused) => permit = unused,
        }
    }
}

fn serve((stream, peer, open): Accepted, router: Router, proxies: &[IpNet], connections: &GracefulShutdown) {
    let is_proxy = client::is_in(proxies, &peer.ip().to_canonical());
    // Responses are small: Nagle's algorithm would only delay them.
    let _ = stream.set_nodelay(true);
    let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        let mut request: Request = request.map(Body::new);
        request.extensions_mut().insert(Arrival { peer, id: RequestId::next() });
        let mut router = router.clone();
        async move {
            let response = Service::call(&mut router, request).await;
            Ok::<_, Infallible>(response.unwrap_or_else(|never| match never {}))
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(if is_proxy { PROXY_HEAD_TIMEOUT } else { HEAD_TIMEOUT })
        .max_buf_size(MAX_HEAD_BYTES)
        .max_headers(MAX_HEADERS)
        .serve_connection(TokioIo::new(WriteTimeout::new(stream, WRITE_TIMEOUT)), service);
    let connection = connections.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%peer, "connection: {error}");
        }
        drop(open);
    });
}

#[cfg(test)]
#[path = "server_tests.rs"]
mod tests;
