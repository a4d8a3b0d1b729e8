//! Where the service of the settings is reached from this machine.

use super::failure::Failure;
use crate::settings::Settings;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The address of the listener. One on every address is reached on the loopback one.
pub(super) fn reachable(settings: &Settings) -> Result<SocketAddr, Failure> {
    let listen = settings.server.listen;
    if listen.port() == 0 {
        let variable = settings.name.variable("LISTEN");
        return Err(Failure::Operator(format!("{variable} has port 0, so that the service's port is not known")));
    }
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    Ok(SocketAddr::new(ip, listen.port()))
}
