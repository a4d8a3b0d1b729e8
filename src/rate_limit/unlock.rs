//! Takes back what the failed logins of one account count, for its owner whom strangers keep out.

use super::limiter::RateLimiter;
use super::login::{CounterIds, names_of};
use crate::store::{StoreError, Tx, UserRow};

impl RateLimiter {
    /// Resets the failures at both names of an account, those of each network at them, and the count of logins from
    /// unknown networks. What networks and sites count of all accounts together stays: it protects others. Returns
    /// whether anything counted.
    pub async fn forget_failures(&self, tx: &mut Tx, user: &UserRow) -> Result<bool, StoreError> {
        let names = names_of(user).map(|name| CounterIds::name_of(&self.key, &name));
        let unknown_logins = CounterIds::unknown_logins_of(&self.key, user.id);
        tx.limits_delete(names, &[unknown_logins], self.clock.now()).await
    }
}
