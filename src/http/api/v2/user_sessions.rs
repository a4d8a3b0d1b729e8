//! The operations on the sessions of a user.

use super::answer::{ApiAnswer, ApiResult, Done, Listed};
use super::api_key::{Caller, EndSessions, ListSessions};
use super::error::OperationError;
use super::page::{PageParameters, PageRequest};
use super::parameters::Parameters;
use super::path::{Ids, SessionPath, UserPath, of_id, parse_id, v2_path};
use crate::domain::change;
use crate::domain::directory::session::{self, SessionRecord};
use crate::domain::session::active::{self, Which};
use crate::model::ids::{SessionId, UserId};
use axum::extract::RawQuery;

const SESSIONS: &str = v2_path!("users/{id}/sessions");

/// The session of a path, which is this user's and has not ended.
async fn existing(backend: &Caller<EndSessions>, user: UserId, session: &str) -> Result<SessionId, OperationError> {
    let session = SessionId(parse_id(session, "session")?);
    let is_open = backend.read().await?.session_is_open(user, session).await?;
    if is_open { Ok(session) } else { Err(OperationError::no_such("session")) }
}

/// The live sessions of a user
///
/// Newest first. Scope: `users:security`.
#[utoipa::path(
    get,
    path = SESSIONS,
    operation_id = "list_user_sessions",
    tag = "users",
    security(("key" = [])),
    params(UserPath, PageParameters)
)]
pub async fn list(
    backend: Caller<ListSessions>,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
) -> ApiResult<Listed<SessionRecord>> {
    let (app, (id, _)) = (&backend.app, backend.user(&id).await?);
    let request = PageRequest::unfiltered(&app.secret_keys, query.as_deref(), &of_id(SESSIONS, id))?;
    let mut conn = backend.read().await?;
    request.page(app, session::list(&mut conn, &app.settings, app.clock.now(), id, request.range).await?)
}

/// End all sessions of a user
///
/// Scope: `users:security`.
#[utoipa::path(
    delete,
    path = SESSIONS,
    operation_id = "delete_user_sessions",
    tag = "users",
    security(("key" = [])),
    params(UserPath)
)]
pub async fn end_all(backend: Caller<EndSessions>, Ids(id): Ids<String>, RawQuery(query): RawQuery) -> ApiResult<Done> {
    let id = backend.user_to_change(&id).await?;
    Parameters::none(query.as_deref())?;
    let change = active::EndSessions { user: id, which: Which::All };
    change::run(&backend.app, &backend.principal, change).await?;
    Ok(ApiAnswer::done())
}

/// End a session of a user
///
/// Scope: `users:security`.
#[utoipa::path(
    delete,
    path = v2_path!("users/{id}/sessions/{session}"),
    operation_id = "delete_user_session",
    tag = "users",
    security(("key" = [])),
    params(UserPath, SessionPath)
)]
pub async fn end(
    backend: Caller<EndSessions>,
    Ids((id, session)): Ids<(String, String)>,
    RawQuery(query): RawQuery,
) -> ApiResult<Done> {
    let (user, roles) = backend.user(&id).await?;
    let session = existing(&backend, user, &session).await?;
    backend.require_changeable(user, roles)?;
    Parameters::none(query.as_deref())?;
    let change = active::EndSessions { user, which: Which::One(session) };
    match change::run(&backend.app, &backend.principal, change).await? {
        0 => Err(OperationError::no_such("session")),
        _ => Ok(ApiAnswer::done()),
    }
}
