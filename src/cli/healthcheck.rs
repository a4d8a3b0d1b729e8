//! `doorward healthcheck`: asks the service on this machine, as an image without a shell has no other client.

use super::args::Healthcheck;
use super::failure::Failure;
use super::output::Output;
use crate::outbound::{self, Limits};
use crate::settings::Settings;
use http_body_util::Full;
use hyper::{Request, StatusCode};
use serde_json::json;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

/// Longer than the service waits for its database.
const TIMEOUT: Duration = Duration::from_secs(5);
const LIMITS: Limits = Limits { connect: TIMEOUT, total: TIMEOUT, body: 64 * 1024 };

/// Fails unless the service answers 200.
pub(super) async fn run(settings: &Settings, which: Healthcheck, out: &mut Output<'_>) -> Result<(), Failure> {
    let listen = settings.server.listen;
    if listen.port() == 0 {
        let variable = settings.name.variable("LISTEN");
        return Err(Failure::Operator(format!("{variable} has port 0, so that the service's port is not known")));
    }
    let (address, path) = (reachable(listen), if which.ready { "/auth/ready" } else { "/auth/health" });
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

/// A listener on every address is reached on the loopback one.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}
