//! What a client wants to read.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT;

/// Whether the client is a browser that shows a page, rather than a script.
pub fn accepts_html(headers: &HeaderMap) -> bool {
    let mut accepted = headers.get_all(ACCEPT).into_iter().filter_map(|value| value.to_str().ok());
    accepted.any(|value| value.contains("text/html"))
}
