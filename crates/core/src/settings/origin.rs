//! Web origins.

use crate::model::this_machine::is_this_machine;
use std::net::{Ipv4Addr, Ipv6Addr};

/// A web origin (RFC 6454): scheme, host and, unless it is the scheme's default, port; lower case, no trailing slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(String);

impl Origin {
    /// Parses `https://host` or `http://host:port`, optionally with a trailing slash.
    ///
    /// The result equals the browser's `Origin` header: lower case, without the scheme's default port, IPv6 in its
    /// shortest form. An internationalized host must be given in its `xn--` form, as browsers send it.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        let (scheme, rest) = text.split_once("://")?;
        let default_port = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return None,
        };
        let (host, port) = host_and_port(rest.strip_suffix('/').unwrap_or(rest))?;
        Some(Self(match port {
            Some(port) if port != default_port => format!("{scheme}://{host}:{port}"),
            _ => format!("{scheme}://{host}"),
        }))
    }

    /// The origin of an `http` or `https` URL without username and password.
    pub fn of_url(url: &str) -> Option<Self> {
        let start = url.find("://")? + 3;
        let end = url[start..].find(['/', '?', '#']).map_or(url.len(), |end| start + end);
        Self::parse(&url[..end])
    }

    /// The value of the browser's `Origin` header.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }

    /// Whether it is on this machine, whatever the network.
    pub fn is_this_machine(&self) -> bool {
        is_this_machine(self.host())
    }

    /// The host: a name, an IPv4 address, or an IPv6 address in brackets.
    pub fn host(&self) -> &str {
        let authority = self.0.split_once("://").map_or("", |(_, authority)| authority);
        split_port(authority).map_or(authority, |(host, _)| host)
    }
}

/// Whether a URL has a username or a password.
pub(super) fn has_user_info(url: &str) -> bool {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().is_some_and(|authority| authority.contains('@'))
}

/// The host in canonical form and the port of a lower-case authority without username and password.
pub(super) fn host_and_port(authority: &str) -> Option<(String, Option<u16>)> {
    let (host, port) = split_port(authority)?;
    Some((canonical_host(host)?, port))
}

fn split_port(authority: &str) -> Option<(&str, Option<u16>)> {
    let after_address = authority.rfind(']').map_or(0, |end| end + 1);
    match authority[after_address..].find(':') {
        None => Some((authority, None)),
        Some(colon) => {
            let (host, port) = authority.split_at(after_address + colon);
            let digits = port.get(1..).filter(|port| port.bytes().all(|byte| byte.is_ascii_digit()))?;
            Some((host, Some(digits.parse().ok().filter(|port| *port != 0)?)))
        }
    }
}

fn canonical_host(host: &str) -> Option<String> {
    if let Some(address) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return address.parse::<Ipv6Addr>().ok().map(|address| format!("[{address}]"));
    }
    let is_label = |label: &str| {
        (1..=63).contains(&label.len()) && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    };
    let is_name = host.len() <= 253 && host.split('.').all(is_label);
    // A host that ends in a number must be an IPv4 address (WHATWG URL, 3.5).
    let ends_in_number = host.rsplit('.').next().is_some_and(|label| label.bytes().all(|b| b.is_ascii_digit()));
    let is_valid = if ends_in_number { host.parse::<Ipv4Addr>().is_ok() } else { is_name };
    is_valid.then(|| host.to_owned())
}

#[cfg(test)]
#[path = "origin_tests.rs"]
mod tests;
