//! Liveness and readiness probes (docs/protocol.md 15).

use crate::context::App;
use crate::store::CLOCK_TOLERANCE;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use std::time::Duration;

const VERSION: &str = concat!(r#"{"name":"doorward","version":""#, env!("CARGO_PKG_VERSION"), r#""}"#);
/// A probe should fail rather than hang.
const PING_TIMEOUT: Duration = Duration::from_secs(2);

/// Liveness: the process answers.
pub async fn health() -> Response {
    respond(StatusCode::OK, "ok\n")
}

/// Readiness: the database is reachable and takes writes, and its clock agrees with this machine's. Migrations ran before
/// the listener opened.
pub async fn ready(State(app): State<Arc<App>>) -> Response {
    let check = async {
        app.store.ping().await?;
        app.store.measure_clock().await
    };
    match tokio::time::timeout(PING_TIMEOUT, check).await {
        Ok(Ok(())) if app.store.clock_difference() > max_clock_difference(&app) => {
            respond(StatusCode::SERVICE_UNAVAILABLE, "the clock differs from the database's\n")
        }
        Ok(Ok(())) => respond(StatusCode::OK, "ready\n"),
        Ok(Err(error)) => {
            error.log("not ready");
            respond(StatusCode::SERVICE_UNAVAILABLE, "the database is not reachable, or takes no writes\n")
        }
        Err(_) => respond(StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n"),
    }
}

/// Name and version of the software, for operators and tools; it is no secret, as the pages are recognizable anyway.
pub async fn version() -> Response {
    ([(CACHE_CONTROL, "no-store"), (CONTENT_TYPE, "application/json")], VERSION).into_response()
}

/// Half of the grace of refresh tokens: with more, a small error of the measurement would tell a client from a thief.
fn max_clock_difference(app: &App) -> Duration {
    (app.settings.sessions.grace / 2).max(CLOCK_TOLERANCE)
}

fn respond(status: StatusCode, text: &'static str) -> Response {
    (status, [(CACHE_CONTROL, "no-store")], text).into_response()
}
