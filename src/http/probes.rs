//! What an orchestrator asks: is the process alive, can it serve.

use crate::context::App;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use std::time::Duration;

/// A probe that hangs is worth less than one that says no.
const MAX_TIME: Duration = Duration::from_secs(2);

/// The process is alive.
pub async fn health() -> Response {
    answer(StatusCode::OK, "ok\n")
}

/// The database is reachable; the schema was brought up to date before the listener opened.
pub async fn ready(State(app): State<Arc<App>>) -> Response {
    match tokio::time::timeout(MAX_TIME, app.store.ping()).await {
        Ok(Ok(())) => answer(StatusCode::OK, "ready\n"),
        Ok(Err(error)) => {
            tracing::warn!("not ready: {error}");
            answer(StatusCode::SERVICE_UNAVAILABLE, "the database is not reachable\n")
        }
        Err(_) => answer(StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n"),
    }
}

fn answer(status: StatusCode, text: &'static str) -> Response {
    (status, [(CACHE_CONTROL, "no-store")], text).into_response()
}
