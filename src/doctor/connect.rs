//! Connections and requests of the doctor, each with the reason why there is none.

use http_body_util::{BodyExt, Empty, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::{HOST, HeaderMap, USER_AGENT};
use hyper::{Request, StatusCode, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::client::legacy::connect::{Connection, HttpConnector, HttpInfo};
use std::error::Error;
use std::net::SocketAddr;
use std::time::Duration;
use tower_service::Service;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const MAX_BODY_BYTES: usize = 64 * 1024;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unanswered {
    /// The name has no address.
    #[error("{0}")]
    Name(String),
    /// No address takes a connection.
    #[error("{0}")]
    Connect(String),
    /// The handshake fails, or the certificate is not trusted.
    #[error("{0}")]
    Tls(String),
    /// The connection was closed, or what came is not HTTP.
    #[error("{0}")]
    Closed(String),
}

/// An answer.
pub(super) struct CallAnswer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    /// This end of the connection.
    pub(super) local: Option<SocketAddr>,
}

type Stream = <HttpsConnector<HttpConnector> as Service<Uri>>::Response;

/// Connects, with TLS for https, and sends nothing.
pub(super) async fn connect(uri: &Uri) -> Result<Stream, Unanswered> {
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_connect_timeout(Some(CONNECT_TIMEOUT));
    if uri.scheme_str() != Some("https") {
        let connected = tcp.call(uri.clone()).await;
        return connected.map(MaybeHttpsStream::Http).map_err(|error| classified(&error, false));
    }
    let builder = HttpsConnectorBuilder::new().with_native_roots();
    let builder = builder.map_err(|error| Unanswered::Tls(format!("no certificates to trust: {error}")))?;
    let mut connector = builder.https_only().enable_http1().wrap_connector(tcp);
    connector.call(uri.clone()).await.map_err(|error| classified(&*error, true))
}

/// For DNS and connection errors the library has no types, only texts.
fn classified(error: &(dyn Error + Send + Sync + 'static), uses_tls: bool) -> Unanswered {
    let first: &(dyn Error + 'static) = error;
    let causes: Vec<String> =
        std::iter::successors(Some(first), |&error| error.source()).map(ToString::to_string).collect();
    let (any, text) = (|prefix: &str| causes.iter().any(|cause| cause.starts_with(prefix)), causes.join(": "));
    if any("dns error") {
        Unanswered::Name(text)
    } else if uses_tls && !any("tcp ") {
        Unanswered::Tls(text)
    } else {
        Unanswered::Connect(text)
    }
}

/// Asks for a URL with these headers; follows no redirect.
pub(super) async fn get(uri: &Uri, headers: &[(&str, &str)]) -> Result<CallAnswer, Unanswered> {
    let stream = connect(uri).await?;
    let mut extensions = hyper::http::Extensions::new();
    stream.connected().get_extras(&mut extensions);
    let local = extensions.get::<HttpInfo>().map(HttpInfo::local_addr);
    exchange(stream, uri, headers, local).await.map_err(|error| Unanswered::Closed(error.to_string()))
}

async fn exchange(
    stream: Stream,
    uri: &Uri,
    headers: &[(&str, &str)],
    local: Option<SocketAddr>,
) -> Result<CallAnswer, Box<dyn Error + Send + Sync>> {
    let (mut sender, connection) = http1::handshake(stream).await?;
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let mut request = Request::get(path).header(USER_AGENT, "doorward-doctor");
    request = request.header(HOST, uri.authority().map_or("", |authority| authority.as_str()));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Empty::<Bytes>::new())?;
    let exchange = async {
        let (parts, body) = sender.send_request(request).await?.into_parts();
        let body = Limited::new(body, MAX_BODY_BYTES).collect().await?.to_bytes();
        // Ends the connection's loop.
        drop(sender);
        Ok::<_, Box<dyn Error + Send + Sync>>(CallAnswer { status: parts.status, headers: parts.headers, body, local })
    };
    let (answer, _) = tokio::join!(exchange, connection);
    answer
}
