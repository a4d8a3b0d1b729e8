//! Takes back what refuses the logins of one account, for an owner whom the failures of strangers keep out.

use crate::context::App;
use crate::domain::mailed_token::code_failures;
use crate::model::change::AccountChange;
use crate::model::ids::UserId;
use crate::model::mail_domain;
use crate::model::principal::{Operation, Principal};
use crate::refusal::{ChangeError, Refusal};

/// Forgets the failures that delay or refuse logins of an account: of passwords at both of its names, of codes of its
/// authenticator app, of codes mailed to its address or typed to confirm. Limits that networks and sites have for all
/// accounts together stay, as they protect others; a disabled account stays disabled. Returns whether anything counted;
/// only that is recorded.
pub async fn unlock(app: &App, principal: &Principal, user: UserId) -> Result<bool, ChangeError> {
    let mut tx = app.store.begin(principal, Operation::UnlockUser).await?;
    let user = tx.user_lock(user).await?.ok_or(Refusal::NotFound("user"))?;
    tx.require_changeable(&user)?;
    let mut changed = app.rate_limiter.forget_failures(&mut tx, &user).await?;
    changed |= tx.totp_reset_failures(user.id).await?;
    changed |= code_failures::forget(app, &mut tx, user.id, &mail_domain::key(&user.email)).await?;
    if changed {
        tx.record_account(user.id, AccountChange::Unlocked).await?;
        tx.commit().await?;
    }
    Ok(changed)
}
