//! The public keys that verify access tokens (RFC 7517).

use crate::context::App;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// `GET /auth/.well-known/jwks.json`
pub async fn show(State(app): State<Arc<App>>) -> Response {
    let keys = app.tokens.ring().jwks(app.clock.now()).to_string();
    ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "max-age=300")], keys).into_response()
}
