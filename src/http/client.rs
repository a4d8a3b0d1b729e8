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
///
/// Most proxies write one of the two headers and pass on whatever the client sent as the other: where they disagree,
/// neither is believed.
pub fn address(server: &Server, headers: &HeaderMap, peer: Peer) -> IpAddr {
    let peer = peer.0.ip().to_canonical();
    if !is_trusted(server, &peer) {
        return peer;
    }
    let standard = headers.contains_key(FORWARDED).then(|| client_of(server, standard_chain(headers), peer));
    let usual = headers.contains_key(X_FORWARDED_FOR).then(|| client_of(server, usual_chain(headers), peer));
    match (standard, usual) {
        (Some(one), Some(other)) if one != other => peer,
        (Some(client), _) | (None, Some(client)) => client,
        (None, None) => peer,
    }
}

fn is_trusted(server: &Server, address: &IpAddr) -> bool {
    server.trusted_proxies.iter().any(|network| network.contains(address))
}

/// Walks back from the peer to the first address that is no trusted proxy's.
fn client_of(server: &Server, chain: Vec<Option<IpAddr>>, peer: IpAddr) -> IpAddr {
    let mut client = peer;
    for hop in chain.into_iter().rev() {
        let Some(address) = hop else { break };
        client = address;
        if !is_trusted(server, &address) {
            break;
        }
    }
    client
}

/// The addresses of `Forwarded`, the client's first; `None` for one that cannot be read. RFC 7239, 4:
/// `for=192.0.2.60;proto=http`, `for="[2001:db8::1]:4711"`.
fn standard_chain(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let address = |hop: &str| {
        let mut pairs = hop.split(';').filter_map(|pair| pair.trim().split_once('='));
        parse(pairs.find(|(name, _)| name.eq_ignore_ascii_case("for"))?.1.trim_matches('"'))
    };
    elements(headers, FORWARDED).map(address).collect()
}

/// The addresses of `X-Forwarded-For`, the client's first; `None` for one that cannot be read.
fn usual_chain(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
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
