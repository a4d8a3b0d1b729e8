//! The operations on users: find them, look one up, create one.

use super::api_key::Backend;
use super::body::UnreadBody;
use super::error::{ErrorBody, OperationError};
use super::page::{ListPosition, Page, PageParameters, PageRequest};
use super::parameters::{Parameters, bad};
use super::path::{Ids, created, ok, parse_id};
use super::user_body::UserBody;
use super::user_input::NewUserBody;
use crate::domain::account::create;
use crate::domain::account::find::{self, UserQuery};
use crate::model::api_key::Scope;
use crate::model::ids::UserId;
use crate::model::time::Time;
use crate::store::{Conn, UserDetailsRow};
use axum::extract::RawQuery;
use axum::response::Response;
use utoipa::IntoParams;

pub(super) const USERS: &str = "/auth/api/v2/users";
const MAX_IDS: usize = 100;
const MIN_QUERY_CHARS: usize = 3;

/// What restricts the list, for its description.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "it only describes")]
pub(super) struct UserParameters {
    /// The email address, compared as login does.
    email: Option<String>,
    /// The username, compared as login does.
    username: Option<String>,
    /// The beginning of the email address or the username, at least 3 characters; or a whole id.
    query: Option<String>,
    /// Created after this time, which is not included.
    #[param(format = DateTime)]
    created_after: Option<String>,
    /// The users with these ids; up to 100.
    id: Option<Vec<String>>,
}

/// Find users
///
/// Newest first. Scope: `users:read`.
#[utoipa::path(
    get,
    path = "/auth/api/v2/users",
    operation_id = "list_users",
    tag = "users",
    security(("key" = [])),
    params(UserParameters, PageParameters),
    responses((status = 200, description = "A page of the list.", body = Page<UserBody>))
)]
pub async fn list(backend: Backend, RawQuery(query): RawQuery) -> Result<Response, OperationError> {
    backend.require(Scope::UsersRead)?;
    let app = &backend.app;
    let known = ["after", "limit", "email", "username", "query", "created_after"];
    let parameters = Parameters::read(query.as_deref(), &known, &["id"])?;
    let request = PageRequest::read(app, &parameters, USERS)?;
    let query = read_query(&parameters)?;
    let after = (request.after.at, UserId(request.after.id));
    let rows = find::list(&app.store, &query, after, request.rows()).await?;
    let position = |row: &UserDetailsRow| ListPosition { at: row.created_at, id: row.id.0 };
    ok(&request.page(app, rows, position, |row| UserBody::of(&app.settings.name, row))?)
}

fn read_query(parameters: &Parameters) -> Result<UserQuery, OperationError> {
    let ids: Vec<&str> = parameters.all("id").collect();
    if ids.len() > MAX_IDS {
        return Err(bad("At most 100 ids may be asked for at once."));
    }
    let query = parameters.get("query").map(str::trim);
    if query.is_some_and(|query| query.chars().count() < MIN_QUERY_CHARS) {
        return Err(bad("The query has at least 3 characters."));
    }
    let ids = ids.into_iter().map(|id| parse_id(id, "user").map(UserId).map_err(|_| bad("An id is a UUID.")));
    let created_after = parameters
        .get("created_after")
        .map(|text| Time::parse(text).ok_or_else(|| bad("A time has the form 2026-01-31T09:30:00.000000Z.")));
    Ok(UserQuery {
        email: parameters.get("email").map(str::to_owned),
        username: parameters.get("username").map(str::to_owned),
        query: query.map(str::to_owned),
        created_after: created_after.transpose()?,
        ids: ids.collect::<Result<_, _>>()?,
    })
}

/// Look a user up
///
/// Scope: `users:read`.
#[utoipa::path(
    get,
    path = "/auth/api/v2/users/{id}",
    operation_id = "get_user",
    tag = "users",
    security(("key" = [])),
    params(("id" = String, Path, format = "uuid", description = "The user's id.")),
    responses((status = 200, description = "The user.", body = UserBody))
)]
pub async fn show(
    backend: Backend,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, OperationError> {
    backend.require(Scope::UsersRead)?;
    let id = UserId(parse_id(&id, "user")?);
    let mut conn = backend.app.store.read().await?;
    let user = read_user(&backend, &mut conn, id).await?;
    Parameters::none(query.as_deref())?;
    ok(&user)
}

/// The user as [`show`] answers it.
pub(super) async fn read_user(backend: &Backend, conn: &mut Conn, id: UserId) -> Result<UserBody, OperationError> {
    let user = UserBody::read(conn, &backend.app.settings.name, id).await?;
    user.ok_or_else(|| OperationError::no_such("user"))
}

/// Create a user
///
/// With its first organization, as a signup does, whatever `SVC_SIGNUP` is. Nothing is mailed unless `send_mail` is
/// true. Scope: `users:write`; a `password` and `email_verified: true` also need `users:security`, and `roles` need
/// `platform:write`.
#[utoipa::path(
    post,
    path = "/auth/api/v2/users",
    operation_id = "create_user",
    tag = "users",
    security(("key" = [])),
    request_body = NewUserBody,
    responses(
        (status = 201, description = "The user.", body = UserBody, headers(("Location" = String, description = "Its path."))),
        (status = 409, description = "`email_taken`, `username_taken`", body = ErrorBody),
    )
)]
pub async fn create(backend: Backend, RawQuery(query): RawQuery, body: UnreadBody) -> Result<Response, OperationError> {
    backend.require(Scope::UsersWrite)?;
    let change = backend.change(query.as_deref(), body).await?;
    let new = NewUserBody::read(&backend, change.body())?;
    let made = async {
        let (mut tx, user) = create::begin(&backend.app, new, &backend.key.actor()).await?;
        let body = read_user(&backend, &mut tx, user.id).await?;
        Ok((tx, created(&format!("{USERS}/{}", user.id), &body)?))
    };
    change.once(made).await
}
