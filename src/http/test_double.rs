//! `/auth/dev/…`, which the test double alone has: for the fixtures of an application's tests (docs/reference/test-double.md).

use super::api::error::ErrorCode;
use super::api::v2::api_key::key_of;
use super::api::v2::body::UnreadBody;
use super::api::v2::error::OperationError;
use super::api::v2::parameters::{Parameters, bad};
use super::api::v2::path::parse_id;
use super::csrf::SEC_FETCH_SITE;
use crate::context::App;
use crate::domain::dev_session::{self, TestSession};
use crate::model::ids::OrganizationId;
use crate::model::mail_domain;
use crate::model::principal::Principal;
use crate::model::this_machine::is_this_machine;
use crate::settings::{Origin, duration};
use axum::extract::{FromRequestParts, RawQuery, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use secrecy::ExposeSecret;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// A year, and what tests of yearly things need beyond it.
const MAX_ADVANCE: Duration = Duration::from_hours(8760);
/// The first of January 2200: no test needs a later day.
const LAST_SECOND: i64 = 7_258_118_400;

/// What the routes need that requests elsewhere never have.
#[derive(Clone)]
pub struct TestDouble {
    /// Who opens the sessions.
    pub operator: Principal,
    /// Does what is due.
    pub catch_up: fn(Arc<App>) -> CatchingUp,
}

pub type CatchingUp = Pin<Box<dyn Future<Output = ()> + Send>>;

pub fn routes(double: TestDouble) -> Router<Arc<App>> {
    Router::new()
        .route("/auth/dev/clock", post(advance_clock))
        .route("/auth/dev/session", post(open_session))
        .route("/auth/dev/mails", get(list_mails))
        .route_layer(Extension(double))
}

/// Answers nobody who reached this machine by another name: a page elsewhere may have had its name lead here.
pub async fn refuse_other_hosts(request: Request, next: Next) -> Response {
    if is_for_this_machine(request.headers()) {
        return next.run(request).await;
    }
    (StatusCode::MISDIRECTED_REQUEST, "This instance answers at localhost only.\n").into_response()
}

fn is_for_this_machine(headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(HOST).into_iter();
    let host = hosts.next().and_then(|host| Origin::parse(&format!("http://{}", host.to_str().ok()?)));
    host.is_some_and(|host| is_this_machine(host.host())) && hosts.next().is_none()
}

/// A program with the API key, and no browser.
struct Fixture(TestDouble);

impl FromRequestParts<Arc<App>> for Fixture {
    type Rejection = OperationError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, OperationError> {
        if [ORIGIN, SEC_FETCH_SITE].iter().any(|name| parts.headers.contains_key(name)) {
            let message = "Only programs may ask this, and no page in a browser.";
            return Err(OperationError::with_message(ErrorCode::Forbidden, message));
        }
        key_of(parts, app).await?;
        let double = parts.extensions.get().cloned();
        double.map(Self).ok_or_else(|| OperationError::new(ErrorCode::NotFound))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Advance {
    #[serde(default)]
    advance: Value,
}

/// Moves the clock forward, and answers once all that follows the time has followed.
async fn advance_clock(
    Fixture(double): Fixture,
    State(app): State<Arc<App>>,
    body: UnreadBody,
) -> Result<Response, OperationError> {
    let Advance { advance } = body.read().await?.parse()?;
    let by = advance.as_str().and_then(|text| duration::parse(text).ok()).filter(|by| *by <= MAX_ADVANCE);
    let by = by.ok_or_else(|| bad("\"advance\" must be a duration of at most 8760h, such as 15m."))?;
    if (app.clock.now() + by).as_seconds() > LAST_SECOND {
        return Err(bad("The clock must stay before the year 2200."));
    }
    app.clock.advance(by);
    (double.catch_up)(app.clone()).await;
    Ok(answer(&json!({"now": app.clock.now()})))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    email: String,
    organization_id: Option<String>,
    mfa: Option<bool>,
}

/// Opens a session without a login; the account is made, with a verified address, if there is none.
async fn open_session(
    Fixture(double): Fixture,
    State(app): State<Arc<App>>,
    body: UnreadBody,
) -> Result<Response, OperationError> {
    let Wanted { email, organization_id, mfa } = body.read().await?.parse()?;
    let organization = organization_id.map(|id| parse_id(&id, "organization").map(OrganizationId)).transpose()?;
    let wanted = TestSession { email: &email, organization, second_factor: mfa.unwrap_or(false) };
    let session = dev_session::open_in_test_double(&app, &double.operator, &wanted).await?;
    let cookies = session.cookies(&app.settings)?.map(|cookie| {
        let value = Value::from(cookie.value.expose_secret());
        (cookie.name.to_owned(), value)
    });
    Ok(answer(&json!({
        "user_id": session.user.id,
        "session_id": session.opened.session_id,
        "cookies": cookies.into_iter().collect::<Map<_, _>>(),
    })))
}

/// The emails so far, newest first, to everybody or to one address.
async fn list_mails(
    Fixture(double): Fixture,
    State(app): State<Arc<App>>,
    RawQuery(query): RawQuery,
) -> Result<Response, OperationError> {
    let parameters = Parameters::read(query.as_deref(), &["to"], &[])?;
    let to = parameters.get("to").map(|to| mail_domain::key(to.trim()));
    (double.catch_up)(app.clone()).await;
    let mails = app.local_mails.lock();
    let wanted = mails.iter().rev().filter(|mail| to.as_ref().is_none_or(|to| mail_domain::key(&mail.to) == *to));
    Ok(answer(&json!({"data": wanted.collect::<Vec<_>>()})))
}

fn answer(json: &Value) -> Response {
    ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")], json.to_string()).into_response()
}
