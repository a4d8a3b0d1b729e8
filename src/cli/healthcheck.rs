//! `doorward healthcheck`: asks the service on this machine, as an image without a shell has no other client.

use super::args::Healthcheck;
use super::failure::Failure;
use super::listener;
use super::output::Output;
use crate::outbound::{self, Limits};
use crate::settings::Settings;
use http_body_util::Full;
use hyper::{Request, StatusCode};
use serde_json::json;
use std::time::Duration;

/// Longer than the service waits for its database.
const TIMEOUT: Duration = Duration::from_secs(5);
const LIMITS: Limits = Limits { connect: TIMEOUT, total: TIMEOUT, body: 64 * 1024 };

/// Fails unless the service answers 200.
pub(super) async fn run(settings: Settings, which: Healthcheck, out: &mut Output<'_>) -> Result<(), Failure> {
    let (address, path) = (listener::reachable(&settings)?, if which.ready { "/auth/ready" } else { "/auth/health" });
    let url = format!("http://{address}{path}");
    let request = Request::get(&url).body(Full::default());
    let request = request.map_err(|error| Failure::Refused(format!("{url}: {error}")))?;
    let answered = outbound::exchange(request, LIMITS).await;
    let status = answered.map_err(|error| Failure::Refused(format!("{url}: {error}")))?.status;
    if status != StatusCode::OK {
        return Err(Failure::Refused(format!("{url} answered {status}")));
    }
    out.result(&json!({"url": url, "healthy": true}), &format!("{url} answered {status}"))
}
