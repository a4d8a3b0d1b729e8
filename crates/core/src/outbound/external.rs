//! Requests to servers that others name, such as providers of logins.

use super::exchange::ServerAnswer;
use super::external_url::ExternalUrl;
use super::places::Places;
use super::resolver::{InnerAddress, NameResolver, PublicResolver};
use super::unanswered::Unanswered;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::Request;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_ENCODING, HeaderValue, USER_AGENT};
use hyper_rustls::{ConfigBuilderExt, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use ipnet::IpNet;
use rustls::ClientConfig;
use std::net::IpAddr;
use std::time::Duration;
use tokio::time::timeout;

/// From the call to the end of the answer, waiting for a place included.
const TOTAL: Duration = Duration::from_secs(5);
const MAX_BODY_BYTES: usize = 256 * 1024;
const PRODUCT: HeaderValue = HeaderValue::from_static(concat!("Doorward/", env!("CARGO_PKG_VERSION")));

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedBy {
    /// The operator, in a setting, a record or a command: it may be an inner one.
    Operator,
    /// The answer of another server, or a person: it must be a public one.
    Others,
}

/// A client for servers that others name. It never connects to an inner address unless the operator permitted it: a name
/// is resolved once, and only addresses that passed are connected to. Hold no database connection while it asks.
#[derive(Debug)]
pub struct ExternalClient {
    public: Client<HttpsConnector<HttpConnector<PublicResolver>>, Full<Bytes>>,
    any: Client<HttpsConnector<HttpConnector<NameResolver>>, Full<Bytes>>,
    resolver: PublicResolver,
    places: Places,
    total: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExternalError {
    /// The host has inner addresses only, and the operator did not permit them.
    #[error("{0} is no host of the public internet")]
    Inner(String),
    /// The answer is larger than a legitimate one.
    #[error("the answer is larger than {MAX_BODY_BYTES} bytes")]
    Large,
    /// The answer has a content coding, which was not asked for.
    #[error("the answer is compressed, which was not asked for")]
    Encoded,
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
}

impl ExternalClient {
    /// A client that may also connect to these addresses. Fails where the machine has no trusted root certificates.
    pub fn new(allowed: Vec<IpNet>) -> std::io::Result<Self> {
        Ok(Self::with_tls(allowed, ClientConfig::builder().with_native_roots()?.with_no_client_auth()))
    }

    fn with_tls(allowed: Vec<IpNet>, tls: ClientConfig) -> Self {
        let resolver = PublicResolver::new(allowed);
        let mut public = HttpConnector::new_with_resolver(resolver.clone());
        let mut any = HttpConnector::new_with_resolver(NameResolver);
        public.enforce_http(false);
        any.enforce_http(false);
        let mut builder = Client::builder(TokioExecutor::new());
        // Requests are rare, and a connection that was kept would outlive what was resolved.
        builder.pool_max_idle_per_host(0);
        let https = |tls| HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1();
        Self {
            public: builder.build(https(tls.clone()).wrap_connector(public)),
            any: builder.build(https(tls).wrap_connector(any)),
            resolver,
            places: Places::default(),
            total: TOTAL,
        }
    }

    /// Sends a request, whose address is replaced by `url`, and reads its answer, whatever its status. `from`: the client
    /// that causes it, whose site has its share of the places.
    pub(super) async fn send(
        &self,
        url: &ExternalUrl,
        named_by: NamedBy,
        from: Option<IpAddr>,
        mut request: Request<Full<Bytes>>,
    ) -> Result<ServerAnswer, ExternalError> {
        *request.uri_mut() = url.uri().clone();
        request.headers_mut().insert(USER_AGENT, PRODUCT);
        let exchange = async {
            let _place = self.places.take(url.host(), from).await;
            self.exchange(url, named_by, request).await
        };
        timeout(self.total, exchange).await.unwrap_or_else(|_| Err(Unanswered::within(self.total).into()))
    }

    async fn exchange(
        &self,
        url: &ExternalUrl,
        named_by: NamedBy,
        request: Request<Full<Bytes>>,
    ) -> Result<ServerAnswer, ExternalError> {
        let uses_tls = url.uri().scheme_str() == Some("https");
        let answered = match named_by {
            NamedBy::Operator => self.any.request(request).await,
            NamedBy::Others => {
                // The connector resolves names only.
                if url.ip().is_some_and(|ip| !self.resolver.permits(ip)) {
                    return Err(ExternalError::Inner(url.host().to_owned()));
                }
                self.public.request(request).await
            }
        };
        let answer = answered.map_err(|error| {
            if InnerAddress::is_cause_of(&error) {
                return ExternalError::Inner(url.host().to_owned());
            }
            Unanswered::pooled(&error, uses_tls).into()
        })?;
        read(answer).await
    }
}

async fn read(answer: hyper::Response<Incoming>) -> Result<ServerAnswer, ExternalError> {
    let (head, body) = answer.into_parts();
    let is_plain = head.headers.get_all(CONTENT_ENCODING).iter().all(|coding| coding.as_bytes() == b"identity");
    if !is_plain {
        return Err(ExternalError::Encoded);
    }
    let body = Limited::new(body, MAX_BODY_BYTES).collect().await.map_err(|error| {
        if error.is::<LengthLimitError>() { ExternalError::Large } else { Unanswered::Closed(error.to_string()).into() }
    })?;
    let (status, headers, body) = (head.status, head.headers, body.to_bytes());
    Ok(ServerAnswer { status, headers, body, local: None, certificate_end: None })
}

#[cfg(test)]
#[path = "external_tests.rs"]
mod tests;
