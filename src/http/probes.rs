//! Liveness and readiness probes (docs/reference/protocol.md 15).

use crate::context::App;
use crate::store::{CLOCK_TOLERANCE, StoreError};
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

/// Why a process is not ready, in the words of the answer.
type NotReady = &'static str;

/// Readiness: the database is reachable and takes writes, and its clock agrees with this machine's. Migrations ran
/// before the listener opened.
pub async fn ready(State(app): State<Arc<App>>) -> Response {
    match readiness(&app).await {
        Ok(()) => respond(StatusCode::OK, "ready\n"),
        Err(why) => respond(StatusCode::SERVICE_UNAVAILABLE, why),
    }
}

/// What [`ready`] answers, at most a second old.
pub async fn readiness(app: &App) -> Result<(), NotReady> {
    let check = async {
        app.store.takes_writes().await?;
        Ok::<_, Arc<StoreError>>(app.store.measure_clock().await?)
    };
    match tokio::time::timeout(PING_TIMEOUT, check).await {
        Ok(Ok(())) if app.store.clock_difference() > max_clock_difference(app) => {
            Err("the clock differs from the database's\n")
        }
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err("the database is not reachable, or takes no writes\n"),
        Err(_) => Err("the database does not answer\n"),
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
