//! What a request is called in logs, metrics and traces.

use crate::metrics::HttpMethod;
use axum::extract::MatchedPath;
use axum::http::Method;

const GATE: &str = "/auth/gate";

/// The pattern of a route. Logs have it instead of the path, which may contain the token of an emailed link.
pub fn name(route: Option<&MatchedPath>) -> &str {
    route.map_or("(none)", MatchedPath::as_str)
}

pub fn method(method: &Method) -> HttpMethod {
    match *method {
        Method::GET => HttpMethod::Get,
        Method::HEAD => HttpMethod::Head,
        Method::POST => HttpMethod::Post,
        Method::PUT => HttpMethod::Put,
        Method::PATCH => HttpMethod::Patch,
        Method::DELETE => HttpMethod::Delete,
        Method::OPTIONS => HttpMethod::Options,
        _ => HttpMethod::Other,
    }
}

/// Whether a route is called all the time: probes, assets, and what applications and proxies ask for each of their own
/// requests. Its requests are logged at `debug`.
pub fn is_frequent(route: &str) -> bool {
    matches!(
        route,
        "/auth/api/v1/user"
            | "/auth/api/v2/session"
            | GATE
            | "/auth/health"
            | "/auth/ready"
            | "/auth/version"
            | "/auth/assets/{file}"
    )
}

/// Whether a route is the gate, which a proxy asks with the head of another request.
pub fn is_gate(route: &str) -> bool {
    route == GATE
}
