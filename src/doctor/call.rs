//! The doctor's requests.

use crate::outbound::{self, Limits, ServerAnswer, Unanswered};
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, USER_AGENT};
use hyper::{Method, Request, Uri};
use std::time::Duration;

pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The report limits each check, too.
const LIMITS: Limits = Limits { connect: CONNECT_TIMEOUT, total: Duration::from_secs(30), body: 64 * 1024 };

/// Asks for a URL with these headers.
pub(super) async fn get(uri: &Uri, headers: &[(&str, &str)]) -> Result<ServerAnswer, Unanswered> {
    send(Method::GET, uri, headers, Bytes::new()).await
}

pub(super) async fn post(uri: &Uri, headers: &[(&str, &str)]) -> Result<ServerAnswer, Unanswered> {
    let form = [(CONTENT_TYPE.as_str(), "application/x-www-form-urlencoded")];
    send(Method::POST, uri, &[headers, &form].concat(), Bytes::from_static(b"sent_by=doctor")).await
}

async fn send(method: Method, uri: &Uri, headers: &[(&str, &str)], body: Bytes) -> Result<ServerAnswer, Unanswered> {
    let mut request = Request::builder().method(method).uri(uri).header(USER_AGENT, "doorward-doctor");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Full::new(body)).map_err(|error| Unanswered::Closed(error.to_string()))?;
    // Boxed, as the futures of all checks are parts of one.
    Box::pin(outbound::exchange(request, LIMITS)).await
}
