//! How a browser makes a request (Fetch Metadata): as the navigation of a window, or for a script or a frame.

use axum::http::{HeaderMap, HeaderName};

const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const SEC_FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// What shows a page inside another one.
const FRAMES: [&str; 5] = ["iframe", "frame", "embed", "object", "fencedframe"];

/// Whether the client says how it makes requests. Browsers do, to `https` and to loopback addresses.
pub fn sends_mode(headers: &HeaderMap) -> bool {
    headers.contains_key(&SEC_FETCH_MODE)
}

/// Whether a script or a frame asks. A script can neither set nor remove these headers. A service worker that passes on a
/// navigation sends the mode `navigate`, and `empty` as destination.
pub fn is_by_script(headers: &HeaderMap) -> bool {
    let navigates = headers.get_all(&SEC_FETCH_MODE).into_iter().all(|mode| mode == "navigate");
    let is_framed = headers.get_all(&SEC_FETCH_DEST).into_iter().any(|dest| FRAMES.iter().any(|frame| dest == frame));
    !navigates || is_framed
}

#[cfg(test)]
#[path = "navigation_tests.rs"]
mod tests;
