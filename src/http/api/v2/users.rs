//! The operations on users: find them, look one up, create one.

use super::answer::{ApiAnswer, ApiResult, Item, Listed, Made, written};
use super::api_key::{Caller, CreateUser, FindUsers};
use super::body::UnreadBody;
use super::error::{ErrorBody, OperationError};
use super::page::{PageParameters, PageRequest};
use super::parameters::{Parameters, bad};
use super::path::{Ids, USER, UserPath, of_id, parse_id, v2_path};
use super::user_input::NewUserBody;
use crate::context::App;
use crate::domain::directory::search::Search;
use crate::domain::directory::user::{self, UserQuery, UserRecord};
use crate::model::ids::UserId;
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::store::{Conn, Result as StoreResult};
use axum::extract::RawQuery;
use utoipa::IntoParams;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, SchemaFormat, Type};

const USERS: &str = v2_path!("users");

const MAX_IDS: usize = 100;

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
    #[param(min_length = 3)]
    query: Option<String>,
    /// Created after this time, which is not included.
    #[param(format = DateTime)]
    created_after: Option<String>,
    /// The users with these ids; up to 100.
    #[param(schema_with = ids)]
    id: Option<Vec<String>>,
    /// The users with these ids of the application's own; up to 100.
    #[param(schema_with = external_ids)]
    external_id: Option<Vec<String>>,
}

fn ids() -> Schema {
    let id = ObjectBuilder::new().schema_type(Type::String).format(Some(SchemaFormat::Custom("uuid".to_owned())));
    list_of(id, "The users with these ids")
}

fn external_ids() -> Schema {
    list_of(ObjectBuilder::new().schema_type(Type::String), "The users with these ids of the application's own")
}

fn list_of(id: ObjectBuilder, what: &str) -> Schema {
    let description = format!("{what}; up to {MAX_IDS}.");
    ArrayBuilder::new().items(id).max_items(Some(MAX_IDS)).description(Some(description)).into()
}

/// Find users
///
/// Newest first. Scope: `users:read`.
#[utoipa::path(
    get,
    path = USERS,
    operation_id = "list_users",
    tag = "users",
    security(("key" = [])),
    params(UserParameters, PageParameters)
)]
pub async fn list(backend: Caller<FindUsers>, RawQuery(query): RawQuery) -> ApiResult<Listed<UserRecord>> {
    let app = &backend.app;
    let known = ["after", "limit", "email", "username", "query", "created_after"];
    let parameters = Parameters::read(query.as_deref(), &known, &["id", "external_id"])?;
    let request = PageRequest::read(&app.secret_keys, &parameters, USERS)?;
    let query = read_query(&parameters)?;
    let found = user::list(&mut backend.read().await?, &app.settings.name, query, request.range).await?;
    request.page(app, found)
}

fn read_query(parameters: &Parameters) -> Result<UserQuery, OperationError> {
    let [ids, external_ids] = ["id", "external_id"].map(|name| parameters.all(name).collect::<Vec<_>>());
    if ids.len() > MAX_IDS || external_ids.len() > MAX_IDS {
        return Err(bad("At most 100 ids may be asked for at once."));
    }
    let query = parameters.get("query").map(str::trim);
    if query.is_some_and(|query| query.chars().count() < Search::MIN_CHARS) {
        return Err(bad("The query has at least 3 characters."));
    }
    let ids = ids.into_iter().map(|id| parse_id(id, "user").map(UserId).map_err(|_| bad("An id is a UUID.")));
    let created_after = parameters
        .get("created_after")
        .map(|text| Time::parse(text).ok_or_else(|| bad("A time has the form 2026-01-31T09:30:00.000000Z.")));
    Ok(UserQuery {
        email: parameters.get("email").map(str::to_owned),
        username: parameters.get("username").map(str::to_owned),
        search: query.map(Search::parse),
        created_after: created_after.transpose()?,
        ids: ids.collect::<Result<_, _>>()?,
        external_ids: external_ids.into_iter().map(str::to_owned).collect(),
        ..UserQuery::default()
    })
}

/// Look a user up
///
/// Scope: `users:read`.
#[utoipa::path(
    get,
    path = USER,
    operation_id = "get_user",
    tag = "users",
    security(("key" = [])),
    params(UserPath)
)]
pub async fn show(
    backend: Caller<FindUsers>,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
) -> ApiResult<Item<UserRecord>> {
    let id = UserId(parse_id(&id, "user")?);
    let found = read_user(&backend.app, &mut backend.read().await?, &backend.principal, id).await?;
    let user = found.ok_or_else(|| OperationError::no_such("user"))?;
    Parameters::none(query.as_deref())?;
    Ok(ApiAnswer::shown(&user)?)
}

/// The user as [`show`] answers it. Includes the last login's address only with `sessions:read`.
pub(super) async fn read_user(
    app: &App,
    conn: &mut Conn,
    principal: &Principal,
    id: UserId,
) -> StoreResult<Option<UserRecord>> {
    let mut found = user::find(conn, &app.settings, app.clock.now(), id).await?;
    if let (Some(user), Err(_)) = (&mut found, principal.require(Operation::ListSessions)) {
        user.last_login_address = None;
    }
    Ok(found)
}

/// Create a user
///
/// With its first organization, as a signup does, whatever `SVC_SIGNUP` is. Nothing is mailed unless `send_mail` is
/// true. Scope: `users:write`; a `password`, `identities` and `email_verified: true` also need `users:security`, and `roles`
/// need `platform:write`.
#[utoipa::path(
    post,
    path = USERS,
    operation_id = "create_user",
    tag = "users",
    security(("key" = [])),
    request_body = NewUserBody,
    responses((status = 409, description = "`email_taken`, `username_taken`, `identity_taken`", body = ErrorBody))
)]
pub async fn create(
    backend: Caller<CreateUser>,
    RawQuery(query): RawQuery,
    body: UnreadBody,
) -> ApiResult<Made<UserRecord>> {
    let change = backend.change(query.as_deref(), body).await?;
    let new = NewUserBody::read(&backend, change.body())?;
    let (app, reader) = (backend.app.clone(), backend.principal.clone());
    change
        .run(new, move |conn, user| {
            Box::pin(async move {
                let made = read_user(&app, conn, &reader, user.id).await?;
                ApiAnswer::made(of_id(USER, user.id), &written(made)?)
            })
        })
        .await
}
