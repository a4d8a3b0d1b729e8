//! The original request, as the proxy describes it in headers. Only those of a trusted peer are used.

use super::protected::{Obstacle, ProtectedOrigins};
use super::rules::PinnedOrigin;
use crate::http::accept::accepts_html;
use crate::settings::Origin;
use axum::http::{HeaderMap, HeaderName, Method};

const ORIGINAL_URL: HeaderName = HeaderName::from_static("x-original-url");
const ORIGINAL_METHOD: HeaderName = HeaderName::from_static("x-original-method");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
const FORWARDED_URI: HeaderName = HeaderName::from_static("x-forwarded-uri");
const FORWARDED_METHOD: HeaderName = HeaderName::from_static("x-forwarded-method");
pub(super) const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const SEC_FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// What is known of the original request.
#[derive(Debug)]
pub struct Original {
    /// The protected origin; nothing if it is not known at all.
    pub origin: Option<Result<usize, Obstacle>>,
    /// Path and query, which begin with a slash.
    pub target: Option<String>,
    pub method: OriginalMethod,
    /// Whether the proxy is nginx, which understands no redirect from here.
    pub is_nginx: bool,
}

/// A request to the gate: the original one, the headers, and its own method.
pub(in crate::http) struct GateRequest<'a> {
    pub(super) original: &'a Original,
    pub(super) headers: &'a HeaderMap,
    pub(super) own: &'a Method,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OriginalMethod {
    Absent,
    Known(Method),
    /// Headers name several, or none that is one.
    Unreadable,
}

/// The one value of a header.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Single<'a> {
    Absent,
    One(&'a str),
    /// Doubled, or not text.
    Unreadable,
}

pub(super) fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Single<'a> {
    let mut values = headers.get_all(name).into_iter();
    match (values.next(), values.next()) {
        (None, _) => Single::Absent,
        (Some(value), None) => value.to_str().map_or(Single::Unreadable, Single::One),
        (Some(_), Some(_)) => Single::Unreadable,
    }
}

/// Whether a request has any header that describes another one.
pub fn is_described(headers: &HeaderMap) -> bool {
    [ORIGINAL_URL, ORIGINAL_METHOD, FORWARDED_URI, FORWARDED_METHOD].iter().any(|name| headers.contains_key(name))
}

impl Original {
    pub const UNKNOWN: Original =
        Original { origin: None, target: None, method: OriginalMethod::Absent, is_nginx: false };

    /// Reads the headers of a trusted peer.
    pub fn read(headers: &HeaderMap, pinned: Option<PinnedOrigin>, origins: &ProtectedOrigins) -> Self {
        let address = address(headers);
        let origin = match pinned {
            Some(PinnedOrigin::Protected(place)) => Some(origins.usable(Some(place))),
            Some(PinnedOrigin::Unlisted) => Some(Err(Obstacle::Unlisted)),
            None => address.as_ref().and_then(|(origin, _)| origin.as_ref()).map(|it| origins.usable(origins.find(it))),
        };
        Self {
            origin,
            target: address.map(|(_, target)| target.to_owned()).filter(|target| target.starts_with('/')),
            method: method(headers),
            is_nginx: headers.contains_key(ORIGINAL_URL),
        }
    }

    /// The address, where a redirect may lead to it.
    pub fn address(&self) -> Option<(usize, &str)> {
        Some((self.origin?.ok()?, self.target.as_deref()?))
    }

    /// The protected origin, where it may get an assertion.
    pub fn audience(&self) -> Option<usize> {
        self.origin?.ok()
    }

    /// Whether a person opens a page; `own` is the method of the request to the gate itself.
    pub fn is_navigation(&self, headers: &HeaderMap, own: &Method) -> bool {
        if !self.is_get(own, true) {
            return false;
        }
        match single(headers, &SEC_FETCH_MODE) {
            Single::One("navigate") => {
                matches!(single(headers, &SEC_FETCH_DEST), Single::Absent | Single::One("document"))
            }
            Single::Absent => accepts_html(headers),
            Single::One(_) | Single::Unreadable => false,
        }
    }

    /// Whether the method is GET, or HEAD where that counts too.
    pub fn is_get(&self, own: &Method, or_head: bool) -> bool {
        let is_get = |method: &Method| *method == Method::GET || (or_head && *method == Method::HEAD);
        match &self.method {
            OriginalMethod::Known(method) => is_get(method),
            OriginalMethod::Absent => is_get(own),
            OriginalMethod::Unreadable => false,
        }
    }
}

/// The origin, if it can be read, and path and query; `None` if headers contradict each other or are doubled.
fn address(headers: &HeaderMap) -> Option<(Option<Origin>, &str)> {
    let forwarded = forwarded(headers)?;
    let original = match single(headers, &ORIGINAL_URL) {
        Single::Absent => None,
        Single::One(url) => Some(split_url(url)?),
        Single::Unreadable => return None,
    };
    match (original, forwarded) {
        (Some((origin, _)), Some((other, _))) if Some(&origin) != other.as_ref() => None,
        (Some((origin, target)), _) => Some((Some(origin), target)),
        (None, Some((origin, target))) => Some((origin, target?)),
        (None, None) => None,
    }
}

fn split_url(url: &str) -> Option<(Origin, &str)> {
    let after_scheme = url.find("://")? + 3;
    let path = after_scheme + url.get(after_scheme..)?.find('/')?;
    Some((Origin::parse(url.get(..path)?)?, url.get(path..)?))
}

/// What a proxy forwards; the outer `None`: one of the headers cannot be read.
#[expect(clippy::option_option, reason = "absent is not the same as unreadable")]
fn forwarded(headers: &HeaderMap) -> Option<Option<(Option<Origin>, Option<&str>)>> {
    let one = |name: &HeaderName, is_list: bool| match single(headers, name) {
        Single::Absent => Some(None),
        Single::One(value) if is_list && value.contains(',') => None,
        Single::One(value) => Some(Some(value)),
        Single::Unreadable => None,
    };
    let (scheme, host) = (one(&FORWARDED_PROTO, true)?, one(&FORWARDED_HOST, true)?);
    let target = one(&FORWARDED_URI, false)?;
    let (Some(scheme), Some(host)) = (scheme, host) else {
        return Some(target.map(|target| (None, Some(target))));
    };
    Some(Some((Origin::parse(&format!("{scheme}://{host}")), target)))
}

fn method(headers: &HeaderMap) -> OriginalMethod {
    let read =
        |value: &str| Method::from_bytes(value.as_bytes()).map_or(OriginalMethod::Unreadable, OriginalMethod::Known);
    match (single(headers, &ORIGINAL_METHOD), single(headers, &FORWARDED_METHOD)) {
        (Single::Absent, Single::Absent) => OriginalMethod::Absent,
        (Single::One(value), Single::Absent) | (Single::Absent, Single::One(value)) => read(value),
        (Single::One(one), Single::One(other)) if one == other => read(one),
        _ => OriginalMethod::Unreadable,
    }
}

#[cfg(test)]
#[path = "original_tests.rs"]
mod tests;
