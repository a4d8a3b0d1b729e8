//! Passes a received webhook on to an application, and its answer back.

use crate::cli::url;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::{CONNECTION, CONTENT_LENGTH, HOST, HeaderValue, TRANSFER_ENCODING};
use hyper::{HeaderMap, Request, Response, Uri};
use hyper_util::rt::TokioIo;
use std::error::Error;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use tokio::net::TcpStream;

/// Longer than a sender waits by default.
const TIMEOUT: Duration = Duration::from_secs(30);
/// An answer that is larger is none.
const MAX_ANSWER_BYTES: usize = 1024 * 1024;

/// Where webhooks are passed on to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForwardTarget(Uri);

impl ForwardTarget {
    /// Reads an address on this machine or its network, such as `http://127.0.0.1:3000/hooks`.
    pub fn parse(text: &str) -> Result<Self, String> {
        url::parse(text, &["http://"]).map(Self)
    }

    /// Its text.
    pub(super) fn url(&self) -> String {
        self.0.to_string()
    }

    /// Whether it leads back to a listener on the loopback address.
    pub(super) fn is(&self, listener: SocketAddr) -> bool {
        let is_here = match self.host().parse::<IpAddr>() {
            Ok(ip) => ip.is_loopback() || ip.is_unspecified(),
            Err(_) => self.host() == "localhost",
        };
        is_here && self.port() == listener.port()
    }

    fn host(&self) -> &str {
        self.0.host().unwrap_or_default().trim_matches(['[', ']'])
    }

    fn port(&self) -> u16 {
        self.0.port_u16().unwrap_or(80)
    }

    /// Sends a webhook with its headers and bytes; only `Host` is the application's.
    pub(super) async fn send(&self, headers: &HeaderMap, body: Bytes) -> Result<Response<Full<Bytes>>, String> {
        match tokio::time::timeout(TIMEOUT, self.exchange(headers, body)).await {
            Ok(answered) => answered.map_err(|error| error.to_string()),
            Err(_) => Err(format!("no answer within {} seconds", TIMEOUT.as_secs())),
        }
    }

    async fn exchange(
        &self,
        headers: &HeaderMap,
        body: Bytes,
    ) -> Result<Response<Full<Bytes>>, Box<dyn Error + Send + Sync>> {
        let stream = TcpStream::connect((self.host(), self.port())).await?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        let target = self.0.path_and_query().map_or("/", |target| target.as_str());
        let mut request = Request::post(target).body(Full::new(body))?;
        *request.headers_mut() = of_the_message(headers);
        let authority = self.0.authority().map_or("", |authority| authority.as_str());
        request.headers_mut().insert(HOST, HeaderValue::from_str(authority)?);
        let exchange = async move {
            let (head, body) = sender.send_request(request).await?.into_parts();
            let mut answer = Response::new(Full::new(Limited::new(body, MAX_ANSWER_BYTES).collect().await?.to_bytes()));
            *answer.status_mut() = head.status;
            *answer.headers_mut() = of_the_message(&head.headers);
            Ok::<_, Box<dyn Error + Send + Sync>>(answer)
        };
        // The end of the exchange drops the sender, which ends the connection's loop.
        tokio::join!(exchange, connection).0
    }
}

/// The headers without those of one connection (RFC 9110, 7.6.1) and the length, which hyper writes again.
fn of_the_message(headers: &HeaderMap) -> HeaderMap {
    let mut headers = headers.clone();
    for name in [CONNECTION, TRANSFER_ENCODING, CONTENT_LENGTH] {
        headers.remove(name);
    }
    headers
}
