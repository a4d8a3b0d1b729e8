//! The client's address: the peer's, or what a trusted proxy says of it.

use crate::settings::Server;
use axum::http::{HeaderMap, HeaderName};
use std::net::{IpAddr, SocketAddr};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED: HeaderName = HeaderName::from_static("forwarded");

/// The address of whoever opened the connection; put into every request by the server.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// The client's address. Forwarding headers are believed only from a trusted proxy, and only as far back as the
/// chain of trusted proxies reaches: what stands before the last untrusted address, anyone may have written.
pub fn address(server: &Server, headers: &HeaderMap, peer: Peer) -> IpAddr {
    let peer = peer.0.ip().to_canonical();
    let trusted = |address: &IpAddr| server.trusted_proxies.iter().any(|network| network.contains(address));
    if !trusted(&peer) {
        return peer;
    }
    let mut client = peer;
    for hop in forwarded(headers).into_iter().rev() {
        let Some(address) = hop else { break };
        client = address;
        if !trusted(&address) {
            break;
        }
    }
    client
}

/// The addresses of the chain, the client's first; `None` for one that cannot be read.
fn forwarded(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    if headers.contains_key(&FORWARDED) {
        let hops = elements(headers, FORWARDED);
        // RFC 7239, 4: `for=192.0.2.60;proto=http`, `for="[2001:db8::1]:4711"`.
        return hops
            .map(|hop| {
                let parameter = hop.split(';').map(str::trim);
                let mut values = parameter.filter_map(|pair| pair.split_once('='));
                let value = values.find(|(name, _)| name.eq_ignore_ascii_case("for"))?.1;
                parse(value.trim_matches('"'))
            })
            .collect();
    }
    elements(headers, X_FORWARDED_FOR).map(parse).collect()
}

fn elements(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}

/// An address, with or without a port.
fn parse(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse::<IpAddr>().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()));
    address.map(|address| address.to_canonical())
}

#[cfg(test)]
#[path = "client_tests.rs"]
mod tests;
