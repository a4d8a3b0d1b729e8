//! The operations that change and delete a user.

use super::api_key::Backend;
use super::body::UnreadBody;
use super::error::{ErrorBody, OperationError};
use super::parameters::Parameters;
use super::path::{Ids, no_content, ok, parse_id};
use super::user_body::UserBody;
use super::user_input::UserUpdateBody;
use super::users::read_user;
use crate::domain::account::{delete as deletion, update as change};
use crate::domain::identity::operator_error::require_changeable;
use crate::model::api_key::Scope;
use crate::model::ids::UserId;
use crate::store::UserRow;
use axum::extract::RawQuery;
use axum::response::Response;

impl Backend {
    /// The user of a path, whom the key may change.
    pub(super) async fn user_to_change(&self, id: &str) -> Result<UserId, OperationError> {
        let user = self.user(id).await?;
        self.require_changeable(&user)?;
        Ok(user.id)
    }

    /// The user of a path.
    pub(super) async fn user(&self, id: &str) -> Result<UserRow, OperationError> {
        let id = UserId(parse_id(id, "user")?);
        let user = self.app.store.read().await?.user_find(id).await?;
        user.ok_or_else(|| OperationError::no_such("user"))
    }

    /// Refuses a user with platform roles to a key without the scope for them. Who gets a role now is protected by the
    /// use case.
    pub(super) fn require_changeable(&self, user: &UserRow) -> Result<(), OperationError> {
        Ok(require_changeable(&self.key.actor(), user)?)
    }
}

/// Change a user
///
/// What is not named stays. Of two changes at once, the last one wins. A user with platform roles is changed only with
/// the scope `platform:write`, which `roles` need, too; `email` and `email_verified` need `users:security`. Scope:
/// `users:write`.
#[utoipa::path(
    patch,
    path = "/auth/api/v2/users/{id}",
    operation_id = "update_user",
    tag = "users",
    security(("key" = [])),
    params(("id" = String, Path, format = "uuid", description = "The user's id.")),
    request_body = UserUpdateBody,
    responses(
        (status = 200, description = "The user.", body = UserBody),
        (status = 409, description = "`email_taken`, `username_taken`, `last_admin`", body = ErrorBody),
    )
)]
pub async fn update(
    backend: Backend,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
    body: UnreadBody,
) -> Result<Response, OperationError> {
    backend.require(Scope::UsersWrite)?;
    let (id, change) = backend.change_of(backend.user_to_change(&id), query.as_deref(), body).await?;
    let update = UserUpdateBody::read(&backend, change.body())?;
    let updated = async {
        let (mut tx, _) = change::begin(&backend.app, id, update, &backend.key.actor()).await?;
        let user = read_user(&backend, &mut tx, id).await?;
        Ok((tx, ok(&user)?))
    };
    change.once(updated).await
}

/// Delete a user
///
/// With the sessions and memberships, and the organizations that have no other member. Scope: `users:write`.
#[utoipa::path(
    delete,
    path = "/auth/api/v2/users/{id}",
    operation_id = "delete_user",
    tag = "users",
    security(("key" = [])),
    params(("id" = String, Path, format = "uuid", description = "The user's id.")),
    responses(
        (status = 204, description = "The user is deleted."),
        (status = 409, description = "`last_owner`, `last_admin`", body = ErrorBody),
    )
)]
pub async fn delete(
    backend: Backend,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, OperationError> {
    backend.require(Scope::UsersWrite)?;
    let id = backend.user_to_change(&id).await?;
    Parameters::none(query.as_deref())?;
    deletion::delete(&backend.app, id, &backend.key.actor()).await?;
    Ok(no_content())
}
