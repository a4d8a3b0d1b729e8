//! Takes back what refuses the logins of one account, for an owner whom the failures of strangers keep out.

use crate::context::App;
use crate::domain::change::Change;
use crate::domain::mailed_token::code_failures;
use crate::model::change::AccountChange;
use crate::model::ids::UserId;
use crate::model::mail_domain;
use crate::model::principal::Operation;
use crate::refusal::{ChangeError, Refusal};
use crate::store::Tx;

/// Forgets the failures that delay or refuse logins of an account: of passwords at both of its names, of codes of its
/// authenticator app, of codes mailed to its address or typed to confirm. Limits that networks and sites have for all
/// accounts together stay, as they protect others; a disabled account stays disabled. Made is whether anything counted;
/// only that is recorded.
pub struct Unlock {
    pub user: UserId,
}

impl Change for Unlock {
    const OPERATION: Operation = Operation::UnlockUser;
    type Made = bool;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<bool, ChangeError> {
        let user = tx.user_lock(self.user).await?.ok_or(Refusal::NotFound("user"))?;
        tx.require_changeable(&user)?;
        let mut changed = app.rate_limiter.forget_failures(tx, &user).await?;
        changed |= tx.totp_reset_failures(user.id).await?;
        changed |= code_failures::forget(app, tx, user.id, &mail_domain::key(&user.email)).await?;
        if changed {
            tx.record_account(user.id, AccountChange::Unlocked).await?;
        }
        Ok(changed)
    }
}
