//! Takes back what refuses the logins of one account, for an owner whom the failures of strangers keep out.

use crate::context::App;
use crate::domain::change::{Change, lock_account};
use crate::model::change::AccountChange;
use crate::model::ids::UserId;
use crate::model::principal::Operation;
use crate::refusal::ChangeError;
use crate::store::Tx;

/// Forgets the failures that delay or refuse logins of an account; a disabled account stays disabled. Made is whether
/// anything counted; only that is recorded.
pub struct Unlock {
    pub user: UserId,
}

impl Change for Unlock {
    const OPERATION: Operation = Operation::UnlockUser;
    type Made = bool;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<bool, ChangeError> {
        let user = lock_account(tx, self.user).await?;
        let counted = app.rate_limiter.forget_failures(tx, &user).await?;
        if counted {
            tx.record_account(user.id, AccountChange::Unlocked).await?;
        }
        Ok(counted)
    }
}
