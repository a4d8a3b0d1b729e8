//! Pages are for people: a script of an application on the same host gets none (docs/reference/browser.md 4.5).

use super::layer::{InnerService, Layer};
use crate::http::error::{self, ResponseFormat};
use crate::http::navigation;
use crate::http::views::Problem;
use axum::extract::{MatchedPath, Request};
use axum::response::Response;

/// Routes below `/auth` that answer scripts as well, besides those that answer with JSON. Requests of the pages' own
/// script belong here, if they change nothing by themselves; it makes none (`assets_tests.rs`).
const FOR_SCRIPTS: [&str; 7] = [
    "/auth/assets/{file}",
    "/auth/health",
    "/auth/ready",
    "/auth/version",
    "/auth/doctor/{nonce}",
    "/auth/sessions/logout",
    "/auth/organizations/{id}/switch",
];

/// Refuses the requests of scripts and frames for pages.
pub struct OnlyNavigations;

impl Layer for OnlyNavigations {
    async fn handle(&self, request: Box<Request>, next: impl InnerService) -> Response {
        if navigation::is_by_script(request.headers()) && is_page(&request) {
            return error::problem(Problem::NotForScripts);
        }
        next.run(request).await
    }
}

/// Whether a person looks at the answer. A path that is no route has nothing to show.
fn is_page(request: &Request) -> bool {
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let is_page = |route: &str| route.starts_with("/auth") && !FOR_SCRIPTS.contains(&route);
    route.is_some_and(is_page) && !ResponseFormat::of(request).is_json()
}
