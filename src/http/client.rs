//! The client's address: the peer's, or the one that a trusted proxy forwards.

use crate::settings::ServerSettings;
use axum::http::{HeaderMap, HeaderName};
use std::net::{IpAddr, SocketAddr};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED: HeaderName = HeaderName::from_static("forwarded");

/// The remote address of the connection; the server adds it to every request.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// The client's address. Forwarding headers count only from a trusted proxy, and only back to the last untrusted
/// address: anyone may have forged what precedes it.
///
/// Most proxies write one of the two headers and pass on the client's own version of the other: if they disagree,
/// neither counts.
pub fn address(server: &ServerSettings, headers: &HeaderMap, peer: Peer) -> IpAddr {
    let peer = peer.0.ip().to_canonical();
    if !is_trusted(server, &peer) {
        return peer;
    }
    let forwarded = headers.contains_key(FORWARDED).then(|| resolve_client(server, forwarded_chain(headers), peer));
    let x_forwarded_for =
        headers.contains_key(X_FORWARDED_FOR).then(|| resolve_client(server, x_forwarded_for_chain(headers), peer));
    match (forwarded, x_forwarded_for) {
        (Some(one), Some(other)) if one != other => peer,
        (Some(client), _) | (None, Some(client)) => client,
        (None, None) => peer,
    }
}

fn is_trusted(server: &ServerSettings, address: &IpAddr) -> bool {
    server.trusted_proxies.iter().any(|network| network.contains(address))
}

/// Walks back from the peer to the first address that is not a trusted proxy.
fn resolve_client(server: &ServerSettings, chain: Vec<Option<IpAddr>>, peer: IpAddr) -> IpAddr {
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

/// The addresses of `Forwarded`, the client's first; `None` for an invalid one. RFC 7239, 4:
/// `for=192.0.2.60;proto=http`, `for="[2001:db8::1]:4711"`.
fn forwarded_chain(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let address = |hop: &str| {
        let mut pairs = hop.split(';').filter_map(|pair| pair.trim().split_once('='));
        parse(pairs.find(|(name, _)| name.eq_ignore_ascii_case("for"))?.1.trim_matches('"'))
    };
    list_elements(headers, FORWARDED).map(address).collect()
}

/// The addresses of `X-Forwarded-For`, the client's first; `None` for an invalid one.
fn x_forwarded_for_chain(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    list_elements(headers, X_FORWARDED_FOR).map(parse).collect()
}

fn list_elements(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}

/// Parses an address with or without a port.
fn parse(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse::<IpAddr>().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()));
    address.map(|address| address.to_canonical())
}

#[cfg(test)]
#[path = "client_tests.rs"]
mod tests;
