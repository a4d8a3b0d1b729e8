//! The operations that change and delete a user.

use super::api_key::Backend;
use super::body::UnreadBody;
use super::change::step;
use super::error::{ErrorBody, OperationError};
use super::parameters::Parameters;
use super::path::{Ids, kept_ok, no_content, parse_id, written};
use super::user_body::UserBody;
use super::user_input::UserUpdateBody;
use super::users::read_user;
use crate::domain::account::{delete as deletion, update};
use crate::domain::ending::answering;
use crate::model::ids::UserId;
use crate::model::principal::{AccountTarget, Operation};
use crate::store::UserRow;
use axum::extract::RawQuery;
use axum::response::Response;

impl Backend {
    /// The user of a path, whom the key may change.
    pub(super) async fn user_to_change(&self, operation: Operation, id: &str) -> Result<UserId, OperationError> {
        let user = self.user(operation, id).await?;
        self.require_changeable(operation, &user)?;
        Ok(user.id)
    }

    /// The user of a path.
    pub(super) async fn user(&self, operation: Operation, id: &str) -> Result<UserRow, OperationError> {
        let id = UserId(parse_id(id, "user")?);
        let user = self.read(operation).await?.user_find(id).await?;
        user.ok_or_else(|| OperationError::no_such("user"))
    }

    /// Refuses a user with platform roles to a key without the scope for them. Who gets a role now is protected by the
    /// use case.
    pub(super) fn require_changeable(&self, operation: Operation, user: &UserRow) -> Result<(), OperationError> {
        Ok(self.principal.require(operation)?.covers(AccountTarget::new(user.id, user.roles))?)
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
    let operation = Operation::ChangeUser;
    backend.require(operation)?;
    let place = backend.user_to_change(operation, &id);
    let (id, change) = backend.change_of(place, query.as_deref(), body).await?;
    let wanted = UserUpdateBody::read(&backend, change.body())?;
    let (app, principal) = (&backend.app, &backend.principal);
    let updated = |claim| {
        let of_answer = app.clone();
        let ending = answering(claim, move |conn, _: bool| {
            Box::pin(async move { kept_ok(&written(read_user(&of_answer, conn, id).await?)?) })
        });
        step(async move { Ok(update::update(app, principal, id, wanted, ending).await?) })
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
    backend.require(Operation::DeleteUser)?;
    let id = backend.user_to_change(Operation::DeleteUser, &id).await?;
    Parameters::none(query.as_deref())?;
    deletion::delete(&backend.app, &backend.principal, id).await?;
    Ok(no_content())
}
