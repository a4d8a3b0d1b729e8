//! Ways to log in, removed where somebody else may hold them. Each kind of credential has its line in both functions.

use crate::domain::mfa::status;
use crate::model::ids::UserId;
use crate::model::session::EndReason;
use crate::model::time::Time;
use crate::model::verification::Kind;
use crate::store::{StoreError, Tx, UserRow};

/// Removes every way to log in.
pub(in crate::domain) async fn credentials_remove_all(tx: &mut Tx, user: UserId) -> Result<(), StoreError> {
    tx.user_clear_password(user).await?;
    tx.passkeys_delete_of_user(user).await?;
    status::remove_all(tx, user).await
}

/// Removes the password, which whoever was in the account may know, and the ways to log in that were made since then.
/// A second factor that was there before stays: a mailbox alone must not get rid of it.
pub(in crate::domain) async fn credentials_remove_since(
    tx: &mut Tx,
    user: UserId,
    since: Time,
) -> Result<(), StoreError> {
    tx.user_clear_password(user).await?;
    tx.passkeys_delete_since(user, since).await?;
    let totp = tx.totp_find(user).await?;
    if totp.is_some_and(|totp| totp.confirmed_at.is_none_or(|at| since <= at)) {
        status::remove_all(tx, user).await?;
    }
    Ok(())
}

/// Gives an account whose address was never proved to the one who now did: whoever made it keeps no way into it. The
/// address counts as proved from here on.
pub(in crate::domain) async fn take_over(tx: &mut Tx, user: &UserRow) -> Result<(), StoreError> {
    credentials_remove_all(tx, user.id).await?;
    tx.sessions_end_of_user(user.id, EndReason::AddressProved.as_str()).await?;
    for kind in [Kind::EmailChange, Kind::PasswordReset, Kind::Verification] {
        tx.account_tokens_delete_of_user(user.id, kind).await?;
    }
    tx.user_set_email_verified(user.id).await
}
