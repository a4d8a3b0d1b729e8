//! The operations on the sessions of a user.

use super::api_key::Backend;
use super::error::OperationError;
use super::page::{ListPosition, Page, PageParameters, PageRequest};
use super::parameters::Parameters;
use super::path::{Ids, no_content, ok, parse_id};
use super::user_body::UserSession;
use crate::domain::session::active;
use crate::model::ids::{SessionId, UserId};
use crate::model::principal::Operation;
use crate::store::SessionDetailsRow;
use axum::extract::RawQuery;
use axum::response::Response;

/// The session of a path, which is this user's and has not ended.
async fn existing(backend: &Backend, user: UserId, session: &str) -> Result<SessionId, OperationError> {
    let session = SessionId(parse_id(session, "session")?);
    let is_open = backend.read(Operation::EndSessions).await?.session_is_open(user, session).await?;
    if is_open { Ok(session) } else { Err(OperationError::no_such("session")) }
}

/// The live sessions of a user
///
/// Newest first. Scope: `users:security`.
#[utoipa::path(
    get,
    path = "/auth/api/v2/users/{id}/sessions",
    operation_id = "list_user_sessions",
    tag = "users",
    security(("key" = [])),
    params(("id" = String, Path, format = "uuid", description = "The user's id."), PageParameters),
    responses((status = 200, description = "A page of the list.", body = Page<UserSession>))
)]
pub async fn list(
    backend: Backend,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, OperationError> {
    backend.require(Operation::ListSessions)?;
    let (app, id) = (&backend.app, backend.user(Operation::ListSessions, &id).await?.id);
    let request = PageRequest::unfiltered(app, query.as_deref(), &format!("/auth/api/v2/users/{id}/sessions"))?;
    let after = (request.after.at, SessionId(request.after.id));
    let rows = active::page(app, &backend.principal, id, after, request.rows()).await?;
    let position = |row: &SessionDetailsRow| ListPosition { at: row.created_at, id: row.id.0 };
    ok(&request.page(app, rows, position, UserSession::from)?)
}

/// End all sessions of a user
///
/// Scope: `users:security`.
#[utoipa::path(
    delete,
    path = "/auth/api/v2/users/{id}/sessions",
    operation_id = "delete_user_sessions",
    tag = "users",
    security(("key" = [])),
    params(("id" = String, Path, format = "uuid", description = "The user's id.")),
    responses((status = 204, description = "The user is logged out everywhere."))
)]
pub async fn end_all(
    backend: Backend,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, OperationError> {
    backend.require(Operation::EndSessions)?;
    let id = backend.user_to_change(Operation::EndSessions, &id).await?;
    Parameters::none(query.as_deref())?;
    active::end_all(&backend.app, &backend.principal, id).await?;
    Ok(no_content())
}

/// End a session of a user
///
/// Scope: `users:security`.
#[utoipa::path(
    delete,
    path = "/auth/api/v2/users/{id}/sessions/{session}",
    operation_id = "delete_user_session",
    tag = "users",
    security(("key" = [])),
    params(
        ("id" = String, Path, format = "uuid", description = "The user's id."),
        ("session" = String, Path, format = "uuid", description = "The session's id."),
    ),
    responses((status = 204, description = "The session has ended."))
)]
pub async fn end(
    backend: Backend,
    Ids((id, session)): Ids<(String, String)>,
    RawQuery(query): RawQuery,
) -> Result<Response, OperationError> {
    backend.require(Operation::EndSessions)?;
    let user = backend.user(Operation::EndSessions, &id).await?;
    let session = existing(&backend, user.id, &session).await?;
    backend.require_changeable(Operation::EndSessions, &user)?;
    Parameters::none(query.as_deref())?;
    let ended = active::end(&backend.app, &backend.principal, user.id, session).await?;
    if ended { Ok(no_content()) } else { Err(OperationError::no_such("session")) }
}
