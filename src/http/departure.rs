//! Answers that leave the chain of a form. Browsers apply `form-action` to every redirect until a page renders, so an
//! answer to a form that goes on elsewhere is a page that goes on by itself (docs/reference/browser.md 9.1).

use super::return_to;
use super::views::{self, DeparturePage, Layout};
use crate::settings::Origin;
use axum::http::header::REFERRER_POLICY;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;

/// The beginning of the paths that lead to providers.
pub const WITH: &str = "/auth/login/with/";

/// What an answer belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    /// A link: it redirects as usual.
    Link,
    /// A form of ours, whose policy permits some origins.
    Form,
    /// The form of a provider, of whose policy nothing is known.
    Return,
}

/// Where an answer goes on that may not redirect there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Departure<'a> {
    /// Another origin, by its host.
    Host(String),
    Provider(&'a str),
}

/// The departure that a target needs; `None`: it may be redirected to. `permitted` are the origins of `form-action`.
pub fn needed<'a, 'o>(
    own: &Origin,
    mut permitted: impl Iterator<Item = &'o Origin>,
    chain: Chain,
    target: &'a str,
) -> Option<Departure<'a>> {
    if chain == Chain::Link {
        return None;
    }
    let own = own.as_str();
    let path = if target.starts_with('/') { Some(target) } else { within(target, own) };
    if let Some(path) = path {
        let name = path.strip_prefix(WITH)?;
        let (name, rest) = name.split_at(name.find(['/', '?', '#']).unwrap_or(name.len()));
        // Below a provider's path stand pages of ours, which ask before anything goes to the provider.
        return Some(if rest.starts_with('/') {
            Departure::Host(host(own).to_owned())
        } else {
            Departure::Provider(name)
        });
    }
    let is_permitted = |origin: &Origin| within(target, origin.as_str()).is_some();
    if chain == Chain::Form && permitted.any(is_permitted) {
        return None;
    }
    Some(Departure::Host(host(target).to_owned()))
}

/// The path of a target on an origin.
fn within<'a>(target: &'a str, origin: &str) -> Option<&'a str> {
    let (head, rest) = target.split_at_checked(origin.len())?;
    let ends = rest.is_empty() || rest.starts_with(['/', '?', '#']);
    (ends && head.eq_ignore_ascii_case(origin)).then_some(rest)
}

/// The host of an address, with its port.
pub fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}

/// The page that goes on to a target, whose host it names.
pub fn page(layout: Layout<'_>, host: &str, target: &str) -> Response {
    let target = return_to::encode_location(target);
    let mut response = views::page(StatusCode::OK, &DeparturePage { layout, host, target: &target });
    response.headers_mut().insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

#[cfg(test)]
#[path = "departure_tests.rs"]
mod tests;
