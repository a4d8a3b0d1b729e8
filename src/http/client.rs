//! The client's address: the peer's, or the one that a trusted proxy forwards.

use super::request_id::Arrival;
use super::warning_interval::WarningInterval;
use crate::context::App;
use crate::settings::{ProxyHeader, ServerSettings};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName};
use ipnet::IpNet;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED: HeaderName = HeaderName::from_static("forwarded");

/// The client's address, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress {
    /// For rate limits, which need one: the peer's if proxies disagree, the last proxy's if what is before it is no
    /// address.
    pub for_limits: IpAddr,
    /// For session lists and the audit log; `None` if it is not known.
    pub for_records: Option<IpAddr>,
}

impl ClientAddress {
    const fn known(address: IpAddr) -> Self {
        Self { for_limits: address, for_records: Some(address) }
    }
}

impl FromRequestParts<Arc<App>> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        Ok(of(&app.settings.server, &parts.headers, &parts.extensions))
    }
}

pub fn peer(extensions: &Extensions) -> IpAddr {
    extensions.get::<Arrival>().map_or(IpAddr::from(Ipv4Addr::UNSPECIFIED), |arrival| arrival.peer.ip()).to_canonical()
}

/// The address of the client that sent a request with these headers and extensions.
pub fn of(server: &ServerSettings, headers: &HeaderMap, extensions: &Extensions) -> ClientAddress {
    resolve(server, headers, peer(extensions))
}

/// Forwarding headers count only from a trusted proxy, and only back to the last untrusted address: anyone may have
/// forged what precedes it.
///
/// Most proxies write one of the two headers and pass on the client's own version of the other: `SVC_PROXY_HEADER` says
/// which one is the proxy's. Without it, neither counts if they disagree.
pub fn resolve(server: &ServerSettings, headers: &HeaderMap, peer: IpAddr) -> ClientAddress {
    if !is_trusted(server, &peer) {
        return ClientAddress::known(peer);
    }
    let reads = |header| server.proxy_header.is_none_or(|named| named == header);
    let forwarded = (reads(ProxyHeader::Forwarded) && headers.contains_key(FORWARDED))
        .then(|| resolve_client(server, forwarded_chain(headers), peer));
    let x_forwarded_for = (reads(ProxyHeader::XForwardedFor) && headers.contains_key(X_FORWARDED_FOR))
        .then(|| resolve_client(server, x_forwarded_for_chain(headers), peer));
    match (forwarded, x_forwarded_for) {
        (Some(one), Some(other)) if one != other => {
            warn_of_disagreement(peer);
            ClientAddress { for_limits: peer, for_records: None }
        }
        (Some(client), _) | (None, Some(client)) => client,
        (None, None) => ClientAddress::known(peer),
    }
}

/// Logs it at most once a minute: any client behind the proxy can cause it with each request.
fn warn_of_disagreement(peer: IpAddr) {
    static LAST: WarningInterval = WarningInterval::new();
    if LAST.is_due() {
        tracing::warn!(
            %peer,
            "Forwarded and X-Forwarded-For name different clients; say in SVC_PROXY_HEADER which one the proxy writes"
        );
    }
}

pub fn is_trusted(server: &ServerSettings, address: &IpAddr) -> bool {
    is_in(&server.trusted_proxies, address)
}

pub fn is_in(networks: &[IpNet], address: &IpAddr) -> bool {
    networks.iter().any(|network| network.contains(address))
}

/// Walks back from the peer to the first address that is not a trusted proxy. A hop that is no address ends the walk: the
/// client is behind it, and not the proxy that was reached last.
fn resolve_client(server: &ServerSettings, chain: Vec<Option<IpAddr>>, peer: IpAddr) -> ClientAddress {
    let mut client = peer;
    for hop in chain.into_iter().rev() {
        let Some(address) = hop else { return ClientAddress { for_limits: client, for_records: None } };
        client = address;
        if !is_trusted(server, &address) {
            break;
        }
    }
    ClientAddress::known(client)
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

/// The elements of a list; empty where one is no text. Each is read by itself: a proxy appends the client's address to
/// whatever the client sent.
fn list_elements(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let elements = headers.get_all(name).into_iter().flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    elements.map(|element| std::str::from_utf8(element).unwrap_or_default().trim())
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
