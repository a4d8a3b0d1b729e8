//! The operations for the logged-in person: who is there, in which organization; switch, log out.

use super::answer::{ApiAnswer, ApiResult, Done, Item, Listed};
use super::body::UnreadBody;
use super::error::OperationError;
use super::page::PageRequest;
use super::parameters::Parameters;
use super::path::{SESSION, SESSION_ORGANIZATION, SESSION_ORGANIZATIONS, parse_id};
use super::session_body::{ChosenOrganization, SessionBody, SessionParameters};
use super::session_caller::{SessionCaller, require_csrf};
use crate::context::App;
use crate::crypto::csrf as csrf_token;
use crate::domain::change;
use crate::domain::directory::user::{self, UserOrganization};
use crate::domain::organization::manage;
use crate::domain::session::lifecycle;
use crate::http::api::error::ErrorCode;
use crate::http::client::ClientAddress;
use crate::http::session::LiveSession;
use crate::http::{cookies, device, session, visitor};
use crate::model::ids::OrganizationId;
use crate::model::principal::Operation;
use crate::rate_limit::ChangeKind;
use axum::extract::{RawQuery, Request, State};
use axum::http::HeaderMap;
use std::sync::Arc;

/// Who is logged in
///
/// An access token that has expired is 401: refresh the session first, or look at the refresh token too.
#[utoipa::path(
    get,
    path = SESSION,
    operation_id = "get_session",
    tag = "session",
    security(("session" = []), ("refresh" = [])),
    params(SessionParameters)
)]
pub async fn show(State(app): State<Arc<App>>, request: Request) -> ApiResult<Item<SessionBody>> {
    let looks = SessionParameters::looks(request.uri().query());
    // Not the extractor: it copies the headers.
    let live = match looks {
        Ok(true) => visitor::look(&app, request.headers()).await?,
        _ => session::from_access_token(&app, request.headers()).await?,
    };
    let live = live.ok_or_else(|| OperationError::new(ErrorCode::Unauthorized))?;
    looks?;
    Ok(ApiAnswer::shown(&SessionBody::of(&app, &live))?)
}

/// The person's organizations
///
/// Newest membership first.
#[utoipa::path(
    get,
    path = SESSION_ORGANIZATIONS,
    operation_id = "list_session_organizations",
    tag = "session",
    security(("session" = [])),
    params(super::page::PageParameters)
)]
pub async fn organizations(caller: SessionCaller, RawQuery(query): RawQuery) -> ApiResult<Listed<UserOrganization>> {
    let (app, user) = (&caller.app, caller.live.view.user_id);
    let request =
        PageRequest::unfiltered(&app.secret_keys, query.as_deref(), &format!("{SESSION_ORGANIZATIONS} of {user}"))?;
    let mut conn = app.store.read_own(&caller.principal, Operation::ReadOwnAccount, user).await?;
    request.page(app, user::organizations(&mut conn, user, request.range).await?)
}

/// Switches to another organization
///
/// Answers as `GET /session`, and sets a new access token of the same audience.
#[utoipa::path(
    put,
    path = SESSION_ORGANIZATION,
    operation_id = "set_session_organization",
    tag = "session",
    security(("session" = [])),
    request_body = ChosenOrganization
)]
pub async fn set_organization(
    caller: SessionCaller,
    RawQuery(query): RawQuery,
    body: UnreadBody,
) -> ApiResult<Item<SessionBody>> {
    let body = body.read().await?;
    Parameters::none(query.as_deref())?;
    let chosen: ChosenOrganization = body.parse()?;
    let org = OrganizationId(parse_id(&chosen.id, "organization")?);
    let (app, live) = (&caller.app, &caller.live);
    caller.check_change_limit(ChangeKind::Switches).await?;
    let ended = || OperationError::new(ErrorCode::Unauthorized);
    let subject =
        change::run(app, &caller.principal, manage::Switch { session: live.id, org }).await?.ok_or_else(ended)?;
    let token = live.reissue_access_token(app, &subject)?;
    let view = app.store.sessions().get_cached(live.id).await?.ok_or_else(ended)?;
    let answer = ApiAnswer::shown(&SessionBody::of(app, &LiveSession { view, ..caller.live }))?;
    Ok(answer.with_cookies(cookies::access(&app.settings, &token)))
}

/// Logs out
///
/// Ends the session of the access token or of the refresh token, and clears the cookies.
#[utoipa::path(
    delete,
    path = SESSION,
    operation_id = "delete_session",
    tag = "session",
    security(("session" = []), ("refresh" = []))
)]
pub async fn log_out(
    State(app): State<Arc<App>>,
    RawQuery(query): RawQuery,
    client: ClientAddress,
    headers: HeaderMap,
) -> ApiResult<Done> {
    let name = &app.settings.name;
    let unauthorized = || OperationError::new(ErrorCode::Unauthorized);
    let mut presented =
        [name.access_cookie(), name.refresh_cookie()].into_iter().flat_map(|name| cookies::values(&headers, name));
    if presented.all(str::is_empty) {
        return Err(unauthorized());
    }
    // Before the tokens are evaluated: a stale refresh token ends its session.
    require_csrf(&app, &headers)?;
    let device = device::from_headers(&headers, client);
    let sessions = session::presented_sessions(&app, &headers, &device).await?;
    if sessions.is_empty() {
        return Err(unauthorized());
    }
    Parameters::none(query.as_deref())?;
    for session in sessions {
        lifecycle::log_out(&app, session, &device).await?;
    }
    let csrf = csrf_token::generate().map_err(crate::error::Error::from)?;
    Ok(ApiAnswer::done().with_cookies(cookies::clear_session(&app.settings).chain(cookies::csrf(&app.settings, &csrf))))
}
