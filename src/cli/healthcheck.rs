//! `doorward healthcheck`: asks the service on this machine, as an image without a shell has no other client.

use super::args::Healthcheck;
use super::failure::Failure;
use super::output::Output;
use crate::settings::Settings;
use http_body_util::Empty;
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::HOST;
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::json;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;
use tokio::net::TcpStream;

/// Longer than the service waits for its database.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Fails unless the service answers 200.
pub(super) async fn run<W: Write>(settings: &Settings, which: Healthcheck, out: &mut Output<W>) -> Result<(), Failure> {
    let listen = settings.server.listen;
    if listen.port() == 0 {
        let variable = settings.name.variable("LISTEN");
        return Err(Failure::Operator(format!("{variable} has port 0, so that the service's port is not known")));
    }
    let (address, path) = (reachable(listen), if which.ready { "/auth/ready" } else { "/auth/health" });
    let url = format!("http://{address}{path}");
    let status = match tokio::time::timeout(TIMEOUT, ask(address, path)).await {
        Ok(Ok(status)) => status,
        Ok(Err(error)) => return Err(Failure::Refused(format!("{url}: {error}"))),
        Err(_) => return Err(Failure::Refused(format!("{url} did not answer within {} seconds", TIMEOUT.as_secs()))),
    };
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

async fn ask(address: SocketAddr, path: &str) -> Result<StatusCode, Box<dyn std::error::Error>> {
    let stream = TcpStream::connect(address).await?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    let request = Request::get(path).header(HOST, address.to_string()).body(Empty::<Bytes>::new())?;
    let exchange = async {
        let answer = sender.send_request(request).await;
        // Ends the connection's loop.
        drop(sender);
        answer
    };
    let (answer, _) = tokio::join!(exchange, connection);
    Ok(answer?.status())
}
