//! The language of pages: the user's choice, else negotiated from `Accept-Language`.

use super::cookies;
use super::return_to;
use crate::messages::{Catalog, Locale};
use crate::settings::{Origin, Settings};
use axum::extract::Request;
use axum::http::header::{ACCEPT_LANGUAGE, REFERER};
use axum::http::{HeaderMap, Method, Uri};
use std::sync::Arc;

/// Where the language switch leads from a page that cannot be requested with GET.
const FALLBACK_PATH: &str = "/auth/";
/// Further items of `Accept-Language` are ignored.
const MAX_LANGUAGE_RANGES: usize = 32;

/// The user's language and current page.
#[derive(Clone, Debug)]
pub struct Language {
    pub locale: Locale,
    /// The path and query that the language switch returns to.
    pub return_path: Arc<str>,
}

impl Default for Language {
    fn default() -> Self {
        Self { locale: Locale::default(), return_path: FALLBACK_PATH.into() }
    }
}

impl Language {
    pub fn of(settings: &Settings, request: &Request) -> Self {
        let path = return_path(settings, request.method(), request.uri(), request.headers());
        Self { locale: locale(settings, request.headers()), return_path: path.unwrap_or(FALLBACK_PATH).into() }
    }
}

/// The language of the cookie, else the best match of `Accept-Language`, else the default.
fn locale(settings: &Settings, headers: &HeaderMap) -> Locale {
    let catalog = settings.pages.catalog();
    let chosen = cookies::values(headers, settings.name.language_cookie()).find_map(|tag| offered(catalog, tag));
    chosen.or_else(|| preferred(catalog, headers)).unwrap_or_else(|| catalog.default_language())
}

/// The offered language that fits a tag best.
pub fn offered(catalog: &Catalog, tag: &str) -> Option<Locale> {
    Locale::parse(tag)?.best_of(catalog.languages())
}

/// The offered language with the highest weight, the first of equals (RFC 9110, 12.5.4).
pub fn preferred(catalog: &Catalog, headers: &HeaderMap) -> Option<Locale> {
    let lists = headers.get_all(ACCEPT_LANGUAGE).into_iter().filter_map(|value| value.to_str().ok());
    let ranges = lists.flat_map(|list| list.split(',')).take(MAX_LANGUAGE_RANGES);
    let ranges = ranges.filter_map(|item| parse_language_range(catalog, item));
    let best = ranges.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, locale)| locale)
}

/// Parses an item and its weight in thousandths; `None` if it is not offered, invalid or has weight 0.
fn parse_language_range(catalog: &Catalog, item: &str) -> Option<(u32, Locale)> {
    let (tag, parameters) = item.split_once(';').unwrap_or((item, "q=1"));
    let locale = match tag.trim() {
        "*" => catalog.default_language(),
        tag => offered(catalog, tag)?,
    };
    let weight = parameters.trim().strip_prefix("q=")?;
    let thousandths = match weight.split_once('.') {
        None => u32::from(weight.parse::<u16>().ok()?) * 1000,
        Some((whole, rest)) if rest.len() <= 3 => {
            u32::from(whole.parse::<u16>().ok()?) * 1000 + format!("{rest:0<3}").parse::<u32>().ok()?
        }
        Some(_) => return None,
    };
    (1..=1000).contains(&thousandths).then_some((thousandths, locale))
}

/// The current page: the one requested, or the one whose form was submitted.
fn return_path<'a>(settings: &Settings, method: &Method, uri: &'a Uri, headers: &'a HeaderMap) -> Option<&'a str> {
    let path = if matches!(*method, Method::GET | Method::HEAD) {
        uri.path_and_query()?.as_str()
    } else {
        same_origin_path(headers.get(REFERER)?.to_str().ok()?, &settings.server.base_url)?
    };
    (path.starts_with('/') && return_to::is_safe(path, &[])).then_some(path)
}

/// The path of a URL on our origin, with its query.
fn same_origin_path<'a>(url: &'a str, own: &Origin) -> Option<&'a str> {
    let rest = url.strip_prefix(own.as_str())?;
    rest.split('#').next().filter(|path| path.starts_with('/'))
}

#[cfg(test)]
#[path = "language_tests.rs"]
mod tests;
