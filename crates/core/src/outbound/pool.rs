//! Connections that are kept for the next request.

use super::resolver::NameResolver;
use super::unanswered::Unanswered;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::http::Extensions;
use hyper::{Request, Response};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::{HttpConnector, HttpInfo};
use hyper_util::client::legacy::{self, Builder, Client};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use parking_lot::Mutex;
use std::collections::HashSet;
use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

/// More connections than are kept. Those beyond it only count as new.
const MAX_ANSWERED: usize = 1024;

#[derive(Clone, Copy, Debug)]
pub struct PoolOptions {
    /// After this time without a request a connection is closed.
    pub idle: Duration,
    /// Idle connections that are kept to one host.
    pub max_idle: usize,
    /// Whether names of headers are sent as `Content-Type`, and not as `content-type`.
    pub title_case: bool,
}

/// Keep-alive connections to a server that the operator named. Its name is resolved for each new connection.
#[derive(Clone, Debug)]
pub struct ConnectionPool {
    kept: HttpClient,
    /// For a request that a kept connection lost: the others may be closed, too.
    fresh: HttpClient,
    /// This end of the connections that have answered.
    answered: Arc<Mutex<HashSet<SocketAddr>>>,
}

#[derive(Clone, Debug)]
enum HttpClient {
    Plain(Client<HttpConnector<NameResolver>, Full<Bytes>>),
    Tls(Client<HttpsConnector<HttpConnector<NameResolver>>, Full<Bytes>>),
}

impl HttpClient {
    async fn request(&self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, legacy::Error> {
        match self {
            HttpClient::Plain(client) => client.request(request).await,
            HttpClient::Tls(client) => client.request(request).await,
        }
    }
}

impl ConnectionPool {
    /// A pool without connections. With `tls` it takes addresses of both schemes, and fails where the machine has no
    /// trusted root certificates; without, it takes http only.
    pub fn new(tls: bool, options: PoolOptions) -> std::io::Result<Self> {
        let mut tcp = HttpConnector::new_with_resolver(NameResolver);
        tcp.set_nodelay(true);
        let [kept, fresh] = [options.max_idle, 0].map(|max_idle| PoolOptions { max_idle, ..options }.builder());
        let answered = Arc::default();
        if !tls {
            let [kept, fresh] = [kept, fresh].map(|builder| HttpClient::Plain(builder.build(tcp.clone())));
            return Ok(Self { kept, fresh, answered });
        }
        tcp.enforce_http(false);
        let tls = HttpsConnectorBuilder::new().with_native_roots()?.https_or_http().enable_http1().wrap_connector(tcp);
        let [kept, fresh] = [kept, fresh].map(|builder| HttpClient::Tls(builder.build(tls.clone())));
        Ok(Self { kept, fresh, answered })
    }

    /// Sends a request and waits for the head of its answer; the time is the caller's to limit. A server may close a kept
    /// connection just when it is used again: then it is sent once more, on a new one.
    pub async fn send(&self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, Unanswered> {
        let uses_tls = request.uri().scheme_str() == Some("https");
        let again = request.clone();
        let answered = match self.kept.request(request).await {
            Err(error) if self.was_kept(&error) => self.fresh.request(again).await,
            answered => answered.inspect(|response| self.note(response)),
        };
        answered.map_err(|error| Unanswered::pooled(&error, uses_tls))
    }

    fn note(&self, response: &Response<Incoming>) {
        let Some(info) = response.extensions().get::<HttpInfo>() else { return };
        let mut answered = self.answered.lock();
        if answered.len() >= MAX_ANSWERED {
            answered.clear();
        }
        answered.insert(info.local_addr());
    }

    /// Whether a connection was closed that had answered another request before.
    fn was_kept(&self, error: &legacy::Error) -> bool {
        let cause = error.source().and_then(|cause| cause.downcast_ref::<hyper::Error>());
        let Some(connected) = error.connect_info().filter(|_| cause.is_some_and(|cause| !cause.is_parse())) else {
            return false;
        };
        let mut extensions = Extensions::new();
        connected.get_extras(&mut extensions);
        extensions.get::<HttpInfo>().is_some_and(|info| self.answered.lock().remove(&info.local_addr()))
    }
}

impl PoolOptions {
    fn builder(self) -> Builder {
        let mut builder = Client::builder(TokioExecutor::new());
        builder
            .http1_title_case_headers(self.title_case)
            .pool_idle_timeout(self.idle)
            .pool_timer(TokioTimer::new())
            .pool_max_idle_per_host(self.max_idle);
        builder
    }
}
