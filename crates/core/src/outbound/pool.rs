//! Connections that are kept for the next request.

use super::resolver::NameResolver;
use super::unanswered::Unanswered;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Builder, Client};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use std::time::Duration;

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
pub struct ConnectionPool(HttpClient);

#[derive(Clone, Debug)]
enum HttpClient {
    Plain(Client<HttpConnector<NameResolver>, Full<Bytes>>),
    Tls(Client<HttpsConnector<HttpConnector<NameResolver>>, Full<Bytes>>),
}

impl ConnectionPool {
    /// A pool without connections. With `tls` it takes addresses of both schemes, and fails where the machine has no
    /// trusted root certificates; without, it takes http only.
    pub fn new(tls: bool, options: PoolOptions) -> std::io::Result<Self> {
        let mut tcp = HttpConnector::new_with_resolver(NameResolver);
        tcp.set_nodelay(true);
        let builder = options.builder();
        if !tls {
            return Ok(Self(HttpClient::Plain(builder.build(tcp))));
        }
        tcp.enforce_http(false);
        let tls = HttpsConnectorBuilder::new().with_native_roots()?.https_or_http().enable_http1().wrap_connector(tcp);
        Ok(Self(HttpClient::Tls(builder.build(tls))))
    }

    /// Sends a request and waits for the head of its answer; the time is the caller's to limit.
    pub async fn send(&self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, Unanswered> {
        let uses_tls = request.uri().scheme_str() == Some("https");
        let answered = match &self.0 {
            HttpClient::Plain(client) => client.request(request).await,
            HttpClient::Tls(client) => client.request(request).await,
        };
        answered.map_err(|error| Unanswered::pooled(&error, uses_tls))
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
