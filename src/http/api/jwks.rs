//! The public keys that verify access tokens (RFC 7517).

use crate::context::App;
use axum::extract::State;
use axum::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// `GET /auth/.well-known/jwks.json`; public, so that a script of any origin may read it.
pub async fn show(State(app): State<Arc<App>>) -> Response {
    let keys = app.tokens.ring().jwks(app.clock.now()).to_string();
    let headers =
        [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "max-age=300"), (ACCESS_CONTROL_ALLOW_ORIGIN, "*")];
    (headers, keys).into_response()
}
