//! Passes a received webhook on to an application, and its answer back.

use crate::cli::url;
use crate::model::this_machine::is_this_machine;
use crate::outbound::{self, Limits};
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING};
use hyper::{HeaderMap, Method, Request, Response, Uri};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

/// Longer than a sender waits by default.
const TIMEOUT: Duration = Duration::from_secs(30);
const LIMITS: Limits = Limits { connect: TIMEOUT, total: TIMEOUT, body: 1024 * 1024 };

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForwardTarget(Uri);

impl ForwardTarget {
    /// Reads an address on this machine or its network, such as `http://127.0.0.1:3000/hooks`.
    pub fn parse(text: &str) -> Result<Self, String> {
        url::parse(text, &["http://"]).map(Self)
    }

    pub(super) fn url(&self) -> String {
        self.0.to_string()
    }

    /// Whether it leads back to a listener on the loopback address.
    pub(super) fn is(&self, listener: SocketAddr) -> bool {
        let is_any = self.host().parse().is_ok_and(|ip: IpAddr| ip.is_unspecified());
        (is_any || is_this_machine(self.host())) && self.port() == listener.port()
    }

    fn host(&self) -> &str {
        self.0.host().unwrap_or_default().trim_matches(['[', ']'])
    }

    fn port(&self) -> u16 {
        self.0.port_u16().unwrap_or(80)
    }

    /// Sends a webhook with its headers and bytes; only `Host` is the application's.
    pub(super) async fn send(&self, headers: &HeaderMap, body: Bytes) -> Result<Response<Full<Bytes>>, String> {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.0.clone();
        *request.headers_mut() = of_the_message(headers);
        let answer = outbound::exchange(request, LIMITS).await.map_err(|error| error.to_string())?;
        let mut response = Response::new(Full::new(answer.body));
        *response.status_mut() = answer.status;
        *response.headers_mut() = of_the_message(&answer.headers);
        Ok(response)
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
