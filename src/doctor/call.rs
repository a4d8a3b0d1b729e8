//! The doctor's requests.

use crate::outbound::{self, Limits, ServerAnswer, Unanswered};
use http_body_util::Full;
use hyper::header::USER_AGENT;
use hyper::{Request, Uri};
use std::time::Duration;

/// Until it is connected.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The report limits each check, too.
const LIMITS: Limits = Limits { connect: CONNECT_TIMEOUT, total: Duration::from_secs(30), body: 64 * 1024 };

/// Asks for a URL with these headers.
pub(super) async fn get(uri: &Uri, headers: &[(&str, &str)]) -> Result<ServerAnswer, Unanswered> {
    let mut request = Request::get(uri).header(USER_AGENT, "doorward-doctor");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Full::default()).map_err(|error| Unanswered::Closed(error.to_string()))?;
    // Boxed, as the futures of all checks are parts of one.
    Box::pin(outbound::exchange(request, LIMITS)).await
}
