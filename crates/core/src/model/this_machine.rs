//! Which hosts are this machine.

use std::net::IpAddr;

/// The name of this machine that every browser knows, and takes for a secure origin.
pub const LOCALHOST: &str = "localhost";

/// Whether the host of a URL is this machine, whatever the network: [`localhost`](is_localhost), or a loopback address,
/// an IPv6 one with brackets or without.
pub fn is_this_machine(host: &str) -> bool {
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    is_localhost(host) || address.is_ok_and(|address| address.to_canonical().is_loopback())
}

/// Whether a name is `localhost` or a name below it, which no DNS server knows (RFC 6761, 6.3). The dot at the end of an
/// absolute name changes nothing.
pub fn is_localhost(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    name.rsplit('.').next().is_some_and(|label| label.eq_ignore_ascii_case(LOCALHOST))
}

#[cfg(test)]
#[path = "this_machine_tests.rs"]
mod tests;
