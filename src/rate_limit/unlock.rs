//! Takes back what the failed logins of one account count, for its owner whom strangers keep out.

use super::limiter::RateLimiter;
use super::login::{CounterIds, names_of};
use crate::model::network::subnet;
use crate::store::{StoreError, Tx, UserRow};
use std::collections::BTreeSet;
use std::net::IpAddr;

impl RateLimiter {
    /// Resets the failures at both names of an account, those of each given network at them, and the count of logins
    /// from unknown networks. What networks and sites count of all accounts together stays: it protects others.
    /// Returns whether anything counted.
    pub async fn forget_failures(
        &self,
        tx: &mut Tx,
        user: &UserRow,
        networks: impl IntoIterator<Item = IpAddr>,
    ) -> Result<bool, StoreError> {
        let names = names_of(user);
        let mut ids = vec![CounterIds::unknown_logins_of(&self.key, user.id)];
        ids.extend(names.iter().map(|name| CounterIds::name_of(&self.key, name)));
        for network in networks.into_iter().map(subnet).collect::<BTreeSet<_>>() {
            let counters = CounterIds::new(&self.key, network);
            ids.extend(names.iter().map(|name| counters.name_and_network(name)));
        }
        tx.limits_delete(&ids, self.clock.now()).await
    }
}
