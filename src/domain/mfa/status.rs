//! Whether two-factor log-in is on, and its end.

use crate::context::App;
use crate::crypto::password::fingerprint;
use crate::error::Error;
use crate::mail::{self, Mail, SignInMethod};
use crate::model::audit::{AuditEntry, AuditKind, By};
use crate::model::ids::{SessionId, UserId};
use crate::model::session::EndReason;
use crate::model::time::Time;
use crate::store::{StoreError, Tx};

/// What a user has of two-factor log-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwoFactor {
    /// Since when it is on.
    pub since: Time,
    /// How many recovery codes are left.
    pub codes_left: usize,
    /// How many devices are not asked for the second factor.
    pub devices: usize,
}

/// What a user has of two-factor log-in; `None` if it is off.
pub async fn two_factor(app: &App, user: UserId) -> Result<Option<TwoFactor>, Error> {
    let mut conn = app.store.read().await?;
    let Some(since) = conn.totp_find(user).await?.and_then(|row| row.confirmed_at) else { return Ok(None) };
    let codes_left = conn.recovery_codes_unused(user).await?.len();
    let hash = conn.user_find(user).await?.and_then(|user| user.password_hash);
    let devices = match hash {
        Some(hash) => conn.remembered_devices_count(user, &fingerprint(&hash)).await?,
        None => 0,
    };
    Ok(Some(TwoFactor { since, codes_left, devices: usize::try_from(devices).unwrap_or(0) }))
}

/// Whether a user is asked for a second factor.
pub(in crate::domain) async fn is_on(tx: &mut Tx, user: UserId) -> Result<bool, StoreError> {
    Ok(tx.totp_find(user).await?.is_some_and(|row| row.confirmed_at.is_some()))
}

/// Turns two-factor log-in off; `false` if it is off already.
///
/// `end_others` is the session that stays while all others end.
pub async fn remove(app: &App, by: &By, user: UserId, end_others: Option<SessionId>) -> Result<bool, Error> {
    let mut tx = app.store.begin().await?;
    let removed = remove_and_tell(app, &mut tx, by, user).await?;
    if removed {
        end_other_sessions(&mut tx, user, end_others).await?;
    }
    tx.commit().await?;
    if removed {
        tracing::info!(user = %user, "two-factor log-in is off");
    }
    Ok(removed)
}

/// Removes second factors and passkeys of somebody who lost everything, and ends all their sessions: whoever found the
/// lost phone may be logged in on it. `false` if there is none of them.
pub async fn reset(app: &App, user: UserId) -> Result<bool, Error> {
    let mut tx = app.store.begin().await?;
    let app_removed = remove_and_tell(app, &mut tx, &By::operator(), user).await?;
    let passkeys = tx.passkeys_delete_of_user(user).await?;
    if passkeys > 0 {
        tx.audit_push(&AuditEntry::new(AuditKind::PasskeyRemoved, user, &By::operator())).await?;
    }
    let removed = app_removed || passkeys > 0;
    if removed {
        tx.sessions_end_of_user(user, EndReason::FactorsReset.as_str()).await?;
    }
    tx.commit().await?;
    if removed {
        tracing::info!(user = %user, "two-factor log-in was reset by an operator");
    }
    Ok(removed)
}

async fn remove_and_tell(app: &App, tx: &mut Tx, by: &By, user: UserId) -> Result<bool, Error> {
    let Some(account) = tx.user_lock_in(user, by.session()).await? else { return Ok(false) };
    if !is_on(tx, user).await? {
        return Ok(false);
    }
    remove_all(tx, user).await?;
    let notice = Mail::SignInMethodRemoved { user, method: SignInMethod::AuthenticatorApp };
    mail::queue(app, tx, &account.email, notice).await?;
    tx.audit_push(&AuditEntry::new(AuditKind::TotpDisabled, user, by)).await?;
    Ok(true)
}

/// Removes all that belongs to the second factor, without a word to anybody.
pub(in crate::domain) async fn remove_all(tx: &mut Tx, user: UserId) -> Result<(), StoreError> {
    tx.totp_delete(user).await?;
    tx.recovery_codes_delete(user).await?;
    tx.remembered_devices_delete_of_user(user).await?;
    tx.half_log_ins_delete_of_user(user).await
}

/// Ends all sessions but one, if one is given (OWASP ASVS 5.0, 7.4.3).
pub(super) async fn end_other_sessions(tx: &mut Tx, user: UserId, keep: Option<SessionId>) -> Result<(), StoreError> {
    if let Some(keep) = keep {
        tx.sessions_end_others(user, keep, EndReason::FactorsChanged.as_str()).await?;
    }
    Ok(())
}
