//! Pages are for people: a script of an application on the same host gets none (docs/reference/browser.md 4.5).

use crate::http::error;
use crate::http::navigation;
use crate::http::views::Problem;
use axum::extract::{MatchedPath, Request};
use axum::http::header::ACCEPT;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};

/// Routes of pages that answer scripts as well. Requests of the pages' own script belong here, if they change nothing by
/// themselves; it makes none (`assets_tests.rs`).
const FOR_SCRIPTS: [&str; 2] = ["/auth/sessions/logout", "/auth/organizations/{id}/switch"];

const HX_REQUEST: HeaderName = HeaderName::from_static("hx-request");
const HX_REDIRECT: HeaderName = HeaderName::from_static("hx-redirect");
const TURBO_REQUEST: HeaderName = HeaderName::from_static("x-turbo-request-id");
const TURBO_FRAME: HeaderName = HeaderName::from_static("turbo-frame");

/// Refuses the requests of scripts and frames for pages.
pub fn refuse(request: &Request) -> Option<Response> {
    (navigation::is_by_script(request.headers()) && is_page(request)).then(|| refusal(request))
}

/// Whether a person looks at the answer. A path that is no route has nothing to show.
fn is_page(request: &Request) -> bool {
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let is_page = |route: &str| route.starts_with("/auth") && !FOR_SCRIPTS.contains(&route);
    route.is_some_and(is_page)
}

/// The refusal of a script. Libraries that fetch what a person clicked are told to let the browser open it.
fn refusal(request: &Request) -> Response {
    if is_link_of_turbo(request) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let mut response = error::problem(Problem::NotForScripts);
    if request.method() == Method::GET && request.headers().contains_key(&HX_REQUEST) {
        let target = request.uri().path_and_query().and_then(|target| HeaderValue::from_str(target.as_str()).ok());
        response.headers_mut().extend(target.map(|target| (HX_REDIRECT, target)));
    }
    response
}

/// Whether Turbo Drive fetches a link. An answer that is no HTML it has the browser open; a page it would show here, and
/// fetch the links in it, too.
fn is_link_of_turbo(request: &Request) -> bool {
    let headers = request.headers();
    let is_stream = |accept: &HeaderValue| accept.to_str().is_ok_and(|accept| accept.contains("turbo-stream"));
    request.method() == Method::GET
        && headers.contains_key(&TURBO_REQUEST)
        && !headers.contains_key(&TURBO_FRAME)
        && !headers.get_all(ACCEPT).into_iter().any(is_stream)
}
