//! Where the gate leads: our pages, with the way back.

use super::original::{GateRequest, OriginalMethod};
use super::protected::ProtectedOrigins;
use crate::context::App;
use crate::http::return_to;
use crate::model::ids::SessionId;
use crate::model::time::Time;
use crate::settings::{Origin, Settings};
use axum::http::HeaderValue;
use axum::http::header::REFERER;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use quick_cache::sync::Cache;
use std::time::Duration;

/// A session is sent to renew its tokens at most once in this time: a browser may not keep the cookies.
const RENEWAL_INTERVAL: Duration = Duration::from_mins(1);
/// The number of sessions whose last renewal is known.
const CAPACITY: usize = 32 * 1024;
/// Longer links lead back to the root: proxies limit the headers of an answer.
const MAX_BYTES: usize = 2048;

pub struct GateLinks {
    base_url: String,
    renewals: Cache<SessionId, Time>,
}

impl GateLinks {
    pub fn of(settings: &Settings) -> Self {
        Self { base_url: settings.server.base_url.as_str().to_owned(), renewals: Cache::new(CAPACITY) }
    }

    /// Whether a session may be sent to renew its tokens now; counts as sent.
    pub fn may_renew(&self, session: SessionId, now: Time) -> bool {
        if self.renewals.get(&session).is_some_and(|sent_at| now < sent_at + RENEWAL_INTERVAL) {
            return false;
        }
        self.renewals.insert(session, now);
        true
    }

    /// Whether an address is that of one of our pages.
    pub fn is_own(&self, url: &str) -> bool {
        url.strip_prefix(&self.base_url).is_some_and(|path| path.starts_with("/auth/"))
    }

    /// One of our pages, without a way back.
    pub fn alone(&self, path: &str) -> Option<HeaderValue> {
        HeaderValue::try_from(format!("{}{path}", self.base_url)).ok()
    }

    /// One of our pages, that leads back to where the request came from, and that address; `None` if it is not known.
    pub fn to(
        &self,
        app: &App,
        origins: &ProtectedOrigins,
        asked: &GateRequest<'_>,
        navigation: bool,
        path: &str,
        demand: &str,
    ) -> Option<(HeaderValue, String)> {
        let (place, target) = asked.original.address()?;
        let origin = origins.get(place)?;
        let back = if navigation { Some(target.to_owned()) } else { way_back(asked, origin, target) };
        let absolute = |target: &str| {
            if ProtectedOrigins::is_own(place) { target.to_owned() } else { format!("{}{target}", origin.as_str()) }
        };
        let accepted = back.map(|target| absolute(&target));
        let accepted = accepted.filter(|target| return_to::accept(&app.settings, target).is_some());
        let link = |target: String| {
            let encoded = utf8_percent_encode(&target, NON_ALPHANUMERIC);
            (format!("{}{path}?return_to={encoded}{demand}", self.base_url), target)
        };
        let (link, target) =
            accepted.map(link).filter(|(link, _)| link.len() <= MAX_BYTES).unwrap_or_else(|| link(absolute("/")));
        Some((HeaderValue::try_from(link).ok()?, target))
    }
}

/// The page of a script: its `Referer`, if it is of the protected origin; else what it asked for, if that can be opened.
fn way_back(asked: &GateRequest<'_>, origin: &Origin, target: &str) -> Option<String> {
    let mut referers = asked.headers.get_all(REFERER).into_iter().filter_map(|value| value.to_str().ok());
    if let (Some(referer), None) = (referers.next(), referers.next())
        && Origin::of_url(referer).as_ref() == Some(origin)
    {
        let path = referer.find("://").and_then(|scheme| Some(scheme + 3 + referer.get(scheme + 3..)?.find('/')?));
        return Some(path.and_then(|path| referer.get(path..)).unwrap_or("/").to_owned());
    }
    let is_get = match &asked.original.method {
        OriginalMethod::Unreadable => false,
        _ => asked.original.is_get(asked.own, false),
    };
    is_get.then(|| target.to_owned())
}
