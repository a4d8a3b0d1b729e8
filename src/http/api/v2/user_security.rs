//! The operations on how a user logs in.

use super::Operations;
use super::answer::{Accepted, ApiAnswer, ApiResult, Done};
use super::api_key::{Caller, ResetTwoFactor, SendPasswordReset};
use super::body::UnreadBody;
use super::parameters::Parameters;
use super::path::{Ids, UserPath, v2_path};
use crate::domain::change;
use crate::domain::mfa::status;
use crate::domain::verification::password_reset_mail::SendReset;
use axum::extract::RawQuery;
use utoipa_axum::routes;

pub(super) fn routes() -> Operations {
    Operations::new().routes(routes!(reset_password)).routes(routes!(reset_two_factor))
}

/// Mail a link to reset the password
///
/// To the user's email address, as often as pages may. Scope: `users:security`.
#[utoipa::path(
    post,
    path = v2_path!("users/{id}/password-reset"),
    operation_id = "reset_user_password",
    tag = "users",
    security(("key" = [])),
    params(UserPath)
)]
pub async fn reset_password(
    backend: Caller<SendPasswordReset>,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
    body: UnreadBody,
) -> ApiResult<Accepted> {
    let place = backend.user_to_change(&id);
    let (id, change) = backend.bare_change_of(place, query.as_deref(), body).await?;
    change.run(SendReset { user: id }, |_, ()| Box::pin(async { Ok(ApiAnswer::accepted()) })).await
}

/// Remove all second factors and passkeys
///
/// And end all sessions; the user logs in with the password alone. Scope: `users:security`.
#[utoipa::path(
    delete,
    path = v2_path!("users/{id}/two-factor"),
    operation_id = "reset_user_two_factor",
    tag = "users",
    security(("key" = [])),
    params(UserPath)
)]
pub async fn reset_two_factor(
    backend: Caller<ResetTwoFactor>,
    Ids(id): Ids<String>,
    RawQuery(query): RawQuery,
) -> ApiResult<Done> {
    let id = backend.user_to_change(&id).await?;
    Parameters::none(query.as_deref())?;
    change::run(&backend.app, &backend.principal, status::ResetTwoFactor { user: id }).await?;
    Ok(ApiAnswer::done())
}
