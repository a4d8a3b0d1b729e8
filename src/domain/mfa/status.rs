//! The status of two-factor authentication, and how it is turned off.

use crate::context::App;
use crate::domain::change::{Change, lock_account};
use crate::domain::directory::user::remembered_devices;
use crate::domain::identity::notify_admins::notify_admins;
use crate::error::Error;
use crate::mail::{self, AdminNotice, LoginMethod, Notice};
use crate::model::change::AccountChange;
use crate::model::ids::{SessionId, UserId};
use crate::model::principal::{Operation, Principal};
use crate::model::session::EndReason;
use crate::model::time::Time;
use crate::refusal::ChangeError;
use crate::store::{Conn, StoreError, Tx, UserRow};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwoFactor {
    pub since: Time,
    pub codes_left: usize,
    pub devices: usize,
}

/// Returns the two-factor authentication of a user, or `None` if it is off.
pub async fn two_factor(app: &App, principal: &Principal, user: UserId) -> Result<Option<TwoFactor>, Error> {
    let mut conn = app.store.read_own(principal, Operation::ReadOwnAccount, user).await?;
    let Some(since) = conn.totp_find(user).await?.and_then(|row| row.confirmed_at) else { return Ok(None) };
    let codes_left = conn.recovery_codes_unused(user).await?.len();
    let hash = conn.user_find(user).await?.and_then(|user| user.password_hash);
    let devices = remembered_devices(&mut conn, user, hash.as_deref()).await?;
    Ok(Some(TwoFactor { since, codes_left, devices: usize::try_from(devices).unwrap_or(0) }))
}

/// Whether two-factor authentication is on for a user.
pub(in crate::domain) async fn is_on(conn: &mut Conn, user: UserId) -> Result<bool, StoreError> {
    Ok(conn.totp_find(user).await?.is_some_and(|row| row.confirmed_at.is_some()))
}

/// Turns off the principal's two-factor authentication.
pub struct DisableTwoFactor {
    /// If it is given, every session except it ends.
    pub end_all_but: Option<SessionId>,
}

impl Change for DisableTwoFactor {
    const OPERATION: Operation = Operation::ChangeFactors;
    type Made = ();

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<(), ChangeError> {
        let Some(account) = tx.user_lock_own().await? else { return Ok(()) };
        if remove_and_notify(app, tx, &account).await? {
            end_other_sessions(tx, account.id, self.end_all_but).await?;
        }
        Ok(())
    }
}

/// Removes the second factors and passkeys of a user who lost them all, and ends every session, also where there is no
/// factor: the finder of a lost phone may be logged in on it. Made is `false` if there is nothing to remove or to end.
pub struct ResetTwoFactor {
    pub user: UserId,
}

impl Change for ResetTwoFactor {
    const OPERATION: Operation = Operation::ResetTwoFactor;
    type Made = bool;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<bool, ChangeError> {
        let user = self.user;
        let account = lock_account(tx, user).await?;
        let app_removed = remove_and_notify(app, tx, &account).await?;
        let passkeys = tx.passkeys_delete_of_user(user).await?;
        if passkeys > 0 {
            tx.record_account(user, AccountChange::PasskeyRemoved(None)).await?;
            mail::notify(app, tx, &account, Notice::LoginMethodRemoved(LoginMethod::Passkey)).await?;
        }
        let was_lost = tx.lost_factor_delete(user).await?;
        let removed = app_removed || passkeys > 0 || was_lost;
        let ended = tx.sessions_end_of_user(user, EndReason::FactorsReset.as_str()).await? > 0;
        if removed {
            notify_admins(app, tx, &account, account.roles, AdminNotice::FactorsReset).await?;
        } else if ended {
            tx.record_account(user, AccountChange::SessionsEnded).await?;
            notify_admins(app, tx, &account, account.roles, AdminNotice::SessionsEnded).await?;
        }
        Ok(removed || ended)
    }
}

async fn remove_and_notify(app: &App, tx: &mut Tx, account: &UserRow) -> Result<bool, Error> {
    if !is_on(tx, account.id).await? {
        return Ok(false);
    }
    remove_all(tx, account.id).await?;
    tx.record_account(account.id, AccountChange::TotpDisabled).await?;
    let notice = Notice::LoginMethodRemoved(LoginMethod::AuthenticatorApp);
    mail::notify(app, tx, account, notice).await?;
    Ok(true)
}

/// Removes everything that belongs to the second factor, without a notice.
pub(in crate::domain) async fn remove_all(tx: &mut Tx, user: UserId) -> Result<(), StoreError> {
    tx.totp_delete(user).await?;
    tx.lost_factor_delete(user).await?;
    tx.recovery_codes_delete(user).await?;
    tx.trusted_devices_delete_of_user(user).await?;
    tx.pending_logins_delete_of_user(user).await
}

/// Ends every session but the given one, if one is given (OWASP ASVS 5.0, 7.4.3).
pub(super) async fn end_other_sessions(
    tx: &mut Tx,
    user: UserId,
    end_all_but: Option<SessionId>,
) -> Result<(), StoreError> {
    if let Some(current) = end_all_but {
        tx.sessions_end_others(user, current, EndReason::FactorsChanged.as_str()).await?;
    }
    Ok(())
}
