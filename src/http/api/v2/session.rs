//! The operations for the logged-in person: who is there, in which organization; switch, log out.

use super::body::UnreadBody;
use super::error::OperationError;
use super::page::{ListPosition, Page, PageRequest};
use super::parameters::Parameters;
use super::path::{no_content, ok, parse_id};
use super::person::{Person, require_csrf};
use super::session_body::{ActiveOrganization, ChosenOrganization, SessionBody};
use crate::context::App;
use crate::crypto::csrf as csrf_token;
use crate::domain::organization::manage;
use crate::domain::session::lifecycle;
use crate::http::api::error::ErrorCode;
use crate::http::client::ClientAddress;
use crate::http::{cookies, device, session};
use crate::model::ids::OrganizationId;
use crate::model::principal::Operation;
use crate::rate_limit::ChangeKind;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::http::header::SET_COOKIE;
use axum::response::Response;
use std::sync::Arc;

const ORGANIZATIONS: &str = "/auth/api/v2/session/organizations";

/// Who is logged in
///
/// An access token that has expired is 401: refresh the session first.
#[utoipa::path(
    get,
    path = "/auth/api/v2/session",
    operation_id = "get_session",
    tag = "session",
    security(("session" = [])),
    responses((status = 200, description = "The session.", body = SessionBody))
)]
pub async fn show(person: Person, RawQuery(query): RawQuery) -> Result<Response, OperationError> {
    Parameters::none(query.as_deref())?;
    ok(&SessionBody::read(&person, person.live.view.roles).await?)
}

/// The person's organizations
///
/// Newest membership first.
#[utoipa::path(
    get,
    path = "/auth/api/v2/session/organizations",
    operation_id = "list_session_organizations",
    tag = "session",
    security(("session" = [])),
    params(super::page::PageParameters),
    responses((status = 200, description = "A page of the list.", body = Page<ActiveOrganization>))
)]
pub async fn organizations(person: Person, RawQuery(query): RawQuery) -> Result<Response, OperationError> {
    let (app, user) = (&person.app, person.live.view.user_id);
    let request = PageRequest::unfiltered(app, query.as_deref(), &format!("{ORGANIZATIONS} of {user}"))?;
    let ListPosition { at, id } = request.after;
    let mut conn = app.store.read_own(&person.principal, Operation::ReadOwnAccount, user).await?;
    let rows = conn.memberships_of_user_page(user, at, OrganizationId(id), request.rows()).await?;
    let position = |row: &crate::store::MembershipRow| ListPosition { at: row.created_at, id: row.organization_id.0 };
    ok(&request.page(app, rows, position, ActiveOrganization::from)?)
}

/// Switches to another organization
///
/// Answers as `GET /session`, and sets a new access token of the same audience.
#[utoipa::path(
    put,
    path = "/auth/api/v2/session/organization",
    operation_id = "set_session_organization",
    tag = "session",
    security(("session" = [])),
    request_body = ChosenOrganization,
    responses((status = 200, description = "The session, in the organization.", body = SessionBody))
)]
pub async fn set_organization(
    person: Person,
    RawQuery(query): RawQuery,
    body: UnreadBody,
) -> Result<Response, OperationError> {
    let body = body.read().await?;
    Parameters::none(query.as_deref())?;
    let chosen: ChosenOrganization = body.parse()?;
    let org = OrganizationId(parse_id(&chosen.id, "organization")?);
    let (app, live) = (&person.app, &person.live);
    person.check_change_limit(ChangeKind::Switches).await?;
    let switched = manage::switch(app, &person.principal, live.id, org).await?;
    // The session has ended meanwhile.
    let subject = switched.ok_or_else(|| OperationError::new(ErrorCode::Unauthorized))?;
    let token = live.reissue_access_token(app, &subject)?;
    let mut response = ok(&SessionBody::read(&person, subject.roles).await?)?;
    response.headers_mut().extend(cookies::access(&app.settings, &token).map(|cookie| (SET_COOKIE, cookie)));
    Ok(response)
}

/// Logs out
///
/// Ends the session of the access token or of the refresh token, and clears the cookies.
#[utoipa::path(
    delete,
    path = "/auth/api/v2/session",
    operation_id = "delete_session",
    tag = "session",
    security(("session" = [])),
    responses((status = 204, description = "Logged out."))
)]
pub async fn log_out(
    State(app): State<Arc<App>>,
    RawQuery(query): RawQuery,
    client: ClientAddress,
    headers: HeaderMap,
) -> Result<Response, OperationError> {
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
    let mut response = no_content();
    let cleared = cookies::clear_session(&app.settings).chain(cookies::csrf(&app.settings, &csrf));
    for cookie in cleared {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    Ok(response)
}
