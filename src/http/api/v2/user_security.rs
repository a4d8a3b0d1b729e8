//! The operations on how a user logs in.

use super::api_key::Backend;
use super::body::UnreadBody;
use super::change::step;
use super::error::OperationError;
use super::parameters::Parameters;
use super::path::{Ids, kept_accepted, no_content};
use crate::domain::ending::answering;
use crate::domain::mfa::status;
use crate::domain::verification::password_reset_mail;
use crate::model::principal::Operation;
use axum::extract::RawQuery;
use axum::response::Response;

/// Mail a link to reset the password
///
/// To the user's email address, as often as pages may. Scope: `users:security`.
#[utoipa::path(
    post,
    path = "/auth/api/v2/users/{id}/password-reset",
    operation_id = "reset_user_password",
    tag = "users",
    security(("key" = [])),
    params(("id" = String, Path, format = "uuid", description = "The user's id.")),
    responses((status = 202, description = "The link is mailed."))
)]
pub async fn reset_password(
    backend: Backend,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
    body: UnreadBody,
) -> Result<Response, OperationError> {
    let operation = Operation::SendPasswordReset;
    backend.require(operation)?;
    let place = backend.user_to_change(operation, &id);
    let (id, change) = backend.bare_change_of(place, query.as_deref(), body).await?;
    let (app, principal) = (&backend.app, &backend.principal);
    let sent = |claim| {
        let ending = answering(claim, |_, ()| Box::pin(async { Ok(kept_accepted()) }));
        step(async move { Ok(password_reset_mail::send_reset(app, principal, id, ending).await?) })
    };
    change.once(sent).await
}

/// Remove all second factors and passkeys
///
/// And end all sessions; the user logs in with the password alone. Scope: `users:security`.
#[utoipa::path(
    delete,
    path = "/auth/api/v2/users/{id}/two-factor",
    operation_id = "reset_user_two_factor",
    tag = "users",
    security(("key" = [])),
    params(("id" = String, Path, format = "uuid", description = "The user's id.")),
    responses((status = 204, description = "The user has none any more."))
)]
pub async fn reset_two_factor(
    backend: Backend,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, OperationError> {
    backend.require(Operation::ResetTwoFactor)?;
    let id = backend.user_to_change(Operation::ResetTwoFactor, &id).await?;
    Parameters::none(query.as_deref())?;
    status::reset(&backend.app, &backend.principal, id).await?;
    Ok(no_content())
}
