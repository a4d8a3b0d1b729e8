//! In which language a reader gets pages: the one they chose, else the one their browser asks for.

use super::cookies;
use super::return_to;
use crate::messages::Locale;
use crate::settings::{Origin, Settings};
use axum::extract::Request;
use axum::http::header::{ACCEPT_LANGUAGE, REFERER};
use axum::http::{HeaderMap, Method, Uri};
use std::sync::Arc;

/// Where the switch leads from a page that cannot be asked for again.
const ELSEWHERE: &str = "/auth/";
/// More of `Accept-Language` is not looked at.
const MAX_WISHES: usize = 32;

/// The reader's language, and where they are.
#[derive(Clone, Debug)]
pub struct Language {
    /// The language.
    pub locale: Locale,
    /// The path, with its query, where the page is seen again: the way back from the switch of languages.
    pub here: Arc<str>,
}

impl Default for Language {
    fn default() -> Self {
        Self { locale: Locale::default(), here: ELSEWHERE.into() }
    }
}

impl Language {
    /// What a request says of its reader.
    pub fn of(settings: &Settings, request: &Request) -> Self {
        let here = here(settings, request.method(), request.uri(), request.headers());
        Self { locale: locale(settings, request.headers()), here: here.unwrap_or(ELSEWHERE).into() }
    }
}

/// The choice in the cookie, else the best of what the browser asks for, else English.
fn locale(settings: &Settings, headers: &HeaderMap) -> Locale {
    let chosen = cookies::values(headers, settings.name.language_cookie()).find_map(Locale::parse);
    chosen.or_else(|| wished(headers)).unwrap_or_default()
}

/// The language with the greatest weight among those that we have, the first of equals (RFC 9110, 12.5.4).
fn wished(headers: &HeaderMap) -> Option<Locale> {
    let lists = headers.get_all(ACCEPT_LANGUAGE).into_iter().filter_map(|value| value.to_str().ok());
    let wishes = lists.flat_map(|list| list.split(',')).take(MAX_WISHES).filter_map(wish);
    let best = wishes.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, locale)| locale)
}

/// One item of the list with its weight in thousandths; `None` for a language that we have not or that is not wanted.
fn wish(item: &str) -> Option<(u16, Locale)> {
    let (tag, parameters) = item.split_once(';').unwrap_or((item, "q=1"));
    let locale = match tag.trim() {
        "*" => Locale::default(),
        tag => Locale::parse(tag)?,
    };
    let weight = parameters.trim().strip_prefix("q=")?;
    let thousandths = match weight.split_once('.') {
        None => weight.parse::<u16>().ok()? * 1000,
        Some((whole, rest)) if rest.len() <= 3 => {
            whole.parse::<u16>().ok()? * 1000 + format!("{rest:0<3}").parse::<u16>().ok()?
        }
        Some(_) => return None,
    };
    (1..=1000).contains(&thousandths).then_some((thousandths, locale))
}

/// The page that the reader looks at: asked for now, or the one whose form was sent.
fn here<'a>(settings: &Settings, method: &Method, uri: &'a Uri, headers: &'a HeaderMap) -> Option<&'a str> {
    let path = if matches!(*method, Method::GET | Method::HEAD) {
        uri.path_and_query()?.as_str()
    } else {
        path_of(headers.get(REFERER)?.to_str().ok()?, &settings.server.base_url)?
    };
    (path.starts_with('/') && return_to::is_safe(path, &[])).then_some(path)
}

/// The path of a URL on our origin, with its query.
fn path_of<'a>(url: &'a str, own: &Origin) -> Option<&'a str> {
    let rest = url.strip_prefix(own.as_str())?;
    rest.split('#').next().filter(|path| path.starts_with('/'))
}

#[cfg(test)]
#[path = "language_tests.rs"]
mod tests;
