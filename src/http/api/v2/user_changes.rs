//! The operations that change and delete a user.

use super::answer::{ApiAnswer, ApiResult, Done, Item, written};
use super::api_key::{ApiOperation, Caller, ChangeUser, DeleteUser};
use super::body::UnreadBody;
use super::error::{ErrorBody, OperationError};
use super::parameters::Parameters;
use super::path::{Ids, USER, UserPath, parse_id};
use super::user_input::UserUpdateBody;
use super::users::read_user;
use crate::domain::account::delete::Delete;
use crate::domain::account::update::UpdateUser;
use crate::domain::change;
use crate::domain::directory::user::UserRecord;
use crate::model::ids::UserId;
use crate::model::roles::Roles;
use axum::extract::RawQuery;

impl<O: ApiOperation> Caller<O> {
    /// The user of a path, whom the key may change.
    pub(super) async fn user_to_change(&self, id: &str) -> Result<UserId, OperationError> {
        let (id, roles) = self.user(id).await?;
        self.require_changeable(id, roles)?;
        Ok(id)
    }

    /// The user of a path, with their roles.
    pub(super) async fn user(&self, id: &str) -> Result<(UserId, Roles), OperationError> {
        let id = UserId(parse_id(id, "user")?);
        let user = self.read().await?.user_find(id).await?;
        user.map(|user| (user.id, user.roles)).ok_or_else(|| OperationError::no_such("user"))
    }
}

/// Change a user
///
/// What is not named stays. Of two changes at once, the last one wins. A user with platform roles is changed only with
/// the scope `platform:write`, which `roles` need, too; `email` and `email_verified` need `users:security`. Scope:
/// `users:write`.
#[utoipa::path(
    patch,
    path = USER,
    operation_id = "update_user",
    tag = "users",
    security(("key" = [])),
    params(UserPath),
    request_body = UserUpdateBody,
    responses((status = 409, description = "`email_taken`, `username_taken`, `last_admin`", body = ErrorBody))
)]
pub async fn update(
    backend: Caller<ChangeUser>,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
    body: UnreadBody,
) -> ApiResult<Item<UserRecord>> {
    let place = backend.user_to_change(&id);
    let (id, change) = backend.change_of(place, query.as_deref(), body).await?;
    let update = UpdateUser::new(id, UserUpdateBody::read(&backend, change.body())?)?;
    let (app, reader) = (backend.app.clone(), backend.principal.clone());
    change
        .run(update, move |conn, _| {
            Box::pin(async move { ApiAnswer::shown(&written(read_user(&app, conn, &reader, id).await?)?) })
        })
        .await
}

/// Delete a user
///
/// With the sessions and memberships, and the organizations that have no other member. Scope: `users:write`.
#[utoipa::path(
    delete,
    path = USER,
    operation_id = "delete_user",
    tag = "users",
    security(("key" = [])),
    params(UserPath),
    responses((status = 409, description = "`last_owner`, `last_admin`", body = ErrorBody))
)]
pub async fn delete(backend: Caller<DeleteUser>, Ids(id): Ids<String>, RawQuery(query): RawQuery) -> ApiResult<Done> {
    let id = backend.user_to_change(&id).await?;
    Parameters::none(query.as_deref())?;
    change::run(&backend.app, &backend.principal, Delete { user: id }).await?;
    Ok(ApiAnswer::done())
}
