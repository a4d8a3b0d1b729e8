//! The listener: limits on what a client may send and hold, and an orderly end.

use super::client::Peer;
use super::envelope::MAX_HEAD_BYTES;
use super::router::router;
use super::unstalled::Unstalled;
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
/// From the first byte awaited to the end of the headers: also how long a kept-alive connection may lie idle.
const HEAD_TIMEOUT: Duration = Duration::from_secs(20);
/// A client that takes nothing of its answer for this long is given up.
const WRITE_TIMEOUT: Duration = Duration::from_secs(20);
/// Open files that connections leave to the database, the log and the deliveries.
const RESERVED_FILES: u64 = 256;
/// At the end, requests under way get this long.
const DRAIN: Duration = Duration::from_secs(10);
/// Accepting fails when the process has no file descriptors left; some are free again soon.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// A bound listener.
pub struct Server {
    listener: TcpListener,
    router: Router,
    /// One permit for each connection that may be open.
    room: Arc<Semaphore>,
}

impl Server {
    /// Binds the address of the settings.
    pub async fn bind(app: &Arc<App>) -> io::Result<Self> {
        let listener = TcpListener::bind(app.settings.server.listen).await?;
        Ok(Self::of(listener, router(app)))
    }

    /// Serves other routes on a bound listener.
    pub(super) fn of(listener: TcpListener, router: Router) -> Self {
        Self { listener, router, room: Arc::new(Semaphore::new(room())) }
    }

    /// The address, with the port that was chosen if the settings ask for any.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `shutdown` is done, then lets the requests under way finish.
    pub async fn run(self, shutdown: impl Future<Output = ()>) {
        let connections = GracefulShutdown::new();
        let mut shutdown = std::pin::pin!(shutdown);
        loop {
            let accepted = tokio::select! {
                accepted = accept(&self.listener, &self.room) => accepted,
                () = &mut shutdown => break,
            };
            match accepted {
                Ok((stream, peer, place)) => serve((stream, peer, place), self.router.clone(), &connections),
                Err(error) => {
                    tracing::warn!("a connection could not be accepted: {error}");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
        drop(self.listener);
        if tokio::time::timeout(DRAIN, connections.shutdown()).await.is_err() {
            tracing::warn!("some requests did not finish in time");
        }
    }
}

/// How many connections may be open: without files left, the database could not work either.
fn room() -> usize {
    let files = rlimit::getrlimit(rlimit::Resource::NOFILE).map_or(1024, |(soft, _)| soft);
    let room = files.saturating_sub(RESERVED_FILES).max(files / 2);
    usize::try_from(room).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS)
}

type Accepted = (TcpStream, SocketAddr, OwnedSemaphorePermit);

/// The next client; while there is no room, clients wait in the operating system's queue.
async fn accept(listener: &TcpListener, room: &Arc<Semaphore>) -> io::Result<Accepted> {
    let place = room.clone().acquire_owned().await.map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    Ok((stream, peer, place))
}

fn serve((stream, peer, place): Accepted, router: Router, connections: &GracefulShutdown) {
    // Answers are small: waiting to fill a packet would only delay them.
    let _ = stream.set_nodelay(true);
    let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        let mut request: Request = request.map(Body::new);
        request.extensions_mut().insert(Peer(peer));
        let mut router = router.clone();
        async move { Ok::<_, Infallible>(Service::call(&mut router, request).await.unwrap_or_else(|never| match never {})) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(MAX_HEAD_BYTES)
        .max_headers(MAX_HEADERS)
        .serve_connection(TokioIo::new(Unstalled::new(stream, WRITE_TIMEOUT)), service);
    let connection = connections.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%peer, "connection: {error}");
        }
        drop(place);
    });
}
