//! Removal of credentials that someone else may hold. Each kind of credential needs a line in both functions.

use crate::context::App;
use crate::domain::identity::visible_name;
use crate::domain::mfa::status;
use crate::domain::organization::revoke_pending;
use crate::error::Error;
use crate::model::ids::UserId;
use crate::model::session::EndReason;
use crate::model::time::Time;
use crate::model::verification::AccountTokenKind;
use crate::store::{StoreError, Tx, UserRow};

/// Removes every credential.
pub(in crate::domain) async fn remove_all(tx: &mut Tx, user: UserId) -> Result<(), StoreError> {
    tx.user_clear_password(user).await?;
    tx.passkeys_delete_of_user(user).await?;
    status::remove_all(tx, user).await
}

/// Removes the password, which an account thief may know, and the credentials that were added since then. An earlier
/// second factor stays: control of the mailbox alone must not remove it.
pub(in crate::domain) async fn remove_since(tx: &mut Tx, user: UserId, since: Time) -> Result<(), StoreError> {
    tx.user_clear_password(user).await?;
    tx.passkeys_delete_since(user, since).await?;
    let totp = tx.totp_find(user).await?;
    if totp.is_some_and(|totp| totp.confirmed_at.is_none_or(|at| since <= at)) {
        status::remove_all(tx, user).await?;
    }
    Ok(())
}

/// Hands an account with an unverified address to the user who has just verified it: removes all credentials, sessions
/// and links of the account's creator, also those of invitations that they sent, and the display name, which mails to the
/// user would say; marks the address as verified.
pub(in crate::domain) async fn claim_unverified_account(app: &App, tx: &mut Tx, user: &UserRow) -> Result<(), Error> {
    remove_all(tx, user.id).await?;
    visible_name::set(tx, user, None).await?;
    tx.sessions_end_of_user(user.id, EndReason::EmailVerified.as_str()).await?;
    for kind in [
        AccountTokenKind::EmailChange,
        AccountTokenKind::EmailUndo,
        AccountTokenKind::PasswordReset,
        AccountTokenKind::Verification,
    ] {
        tx.account_tokens_delete_of_user(user.id, kind).await?;
    }
    for membership in tx.memberships_of_user(user.id).await? {
        revoke_pending::revoke_above_role(app, tx, membership.organization_id, user.id, None, None).await?;
    }
    Ok(tx.user_set_email_verified(user.id).await?)
}
