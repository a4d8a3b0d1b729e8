//! Rate limits of password attempts, against credential stuffing and brute force, without account lockout.
//!
//! NIST SP 800-63B-4, 3.2.2 allows no more than 100 consecutive failures. A lockout after them would let anyone lock
//! others out, so there are delays that grow with the failures instead:
//!
//! - Each network has a rate limit of its own, for all accounts together ([`PER_NETWORK`]), and so has each site
//!   ([`PER_SITE`]), which may have many networks.
//! - Logins to one account that succeed have one too ([`LOGINS_TO_ACCOUNT`]): each costs a password hash. They are counted
//!   for each network, and together for all networks that the account does not know: who has learnt the password cannot
//!   keep its owner out, who comes from where they were before, or changes the password in a session.
//! - Each network may fail at one name ten times, then its delays double ([`PER_NAME_AND_NETWORK`]).
//! - All networks together may fail at one name ten times, then the delays of all double; after 50 failures the
//!   delay is a day ([`PER_NAME`]). Networks from which the account logged in within the last 30 days are
//!   exempt, so that attempts from elsewhere do not delay its owner.
//!
//! Failures are counted by the name that was entered, username or email address, whether or not an account has it: so
//! the delays reveal neither accounts (account enumeration) nor that two names belong to one account, and its owner can
//! use the other name while one is attacked. For the same reason the failures at a name without an account are kept as
//! long as those at any other: a name that is forgotten sooner would tell that it has none. A try at a new name leaves
//! two rows, its own and that of the network at it. An account has two names, so 50 failures at each make the 100. A success
//! resets the failures at both.

use super::bucket::{LOGINS_TO_ACCOUNT, RateLimit, RateLimitError, bytes};
use super::failures::{PER_NAME, PER_NAME_AND_NETWORK};
use super::limiter::RateLimiter;
use super::rate::Rate;
use crate::crypto::keyed_hash::LimitKey;
use crate::metrics::LimitName;
use crate::model::ids::UserId;
use crate::model::mail_domain;
use crate::model::network::{site, subnet};
use crate::model::principal::Operation;
use crate::model::time::Time;
use crate::store::{LimitRow, StoreError, UserRow};
use std::net::IpAddr;
use std::time::Duration;
use uuid::Uuid;

pub(super) const PER_NETWORK: Rate = Rate { burst: 60, refill_interval: Duration::from_secs(1) };
pub(super) const PER_SITE: Rate = Rate { burst: 300, refill_interval: Duration::from_millis(200) };
/// A network stays known to an account for this time after a login.
pub(super) const KNOWN_NETWORK_TTL: Duration = Duration::from_hours(30 * 24);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptPlace {
    Login,
    /// In an open session, to confirm who sits before it.
    Session,
}

/// The counters of attempts at one name from one network.
#[derive(Clone, Copy, Debug)]
struct LoginCounters {
    network: LimitRow,
    site: LimitRow,
    name_and_network: LimitRow,
    name: LimitRow,
    /// Until when the network is known to the account.
    known_network: LimitRow,
    /// The logins to the account that succeeded, which an attempt does not change: from this network.
    logins: LimitRow,
    /// From all networks that were not known to the account.
    unknown_logins: LimitRow,
}

impl LoginCounters {
    /// The counters after an attempt, if one is allowed; otherwise the error is the time until one is.
    fn begin(self, now: Time, place: AttemptPlace) -> Result<Self, Duration> {
        let network = PER_NETWORK.take(self.network, now)?;
        let site = PER_SITE.take(self.site, now)?;
        LOGINS_TO_ACCOUNT.take(self.logins, now)?;
        let is_known = now < self.known_network.at;
        if !is_known && place == AttemptPlace::Login {
            LOGINS_TO_ACCOUNT.take(self.unknown_logins, now)?;
        }
        let allowed_at = if is_known { self.name_and_network.at } else { self.name_and_network.at.max(self.name.at) };
        if now < allowed_at {
            return Err(allowed_at.since(now));
        }
        let name = if is_known { self.name } else { PER_NAME.fail(self.name, now) };
        let name_and_network = PER_NAME_AND_NETWORK.fail(self.name_and_network, now);
        let name_and_network = LimitRow { name_id: Some(name.id), ..name_and_network };
        Ok(Self { network, site, name_and_network, name, ..self })
    }
}

/// The names that failures of an account are counted by.
pub(super) fn names_of(user: &UserRow) -> [String; 2] {
    [mail_domain::key(&user.email), mail_domain::key(&user.username)]
}

/// Derives the ids of the counters of one network.
pub(super) struct CounterIds<'a> {
    key: &'a LimitKey,
    address: IpAddr,
}

impl<'a> CounterIds<'a> {
    pub(super) fn new(key: &'a LimitKey, address: IpAddr) -> Self {
        Self { key, address }
    }

    fn subnet(&self) -> [u8; 16] {
        bytes(subnet(self.address))
    }

    fn site(&self) -> Uuid {
        self.key.id("log-in from site", &[&bytes(site(self.address))])
    }

    fn network(&self) -> Uuid {
        self.key.id("log-in from", &[&self.subnet()])
    }

    pub(super) fn name_and_network(&self, name: &str) -> Uuid {
        self.key.id("log-in at place", &[name.as_bytes(), &self.subnet()])
    }

    fn name(&self, name: &str) -> Uuid {
        Self::name_of(self.key, name)
    }

    /// From all networks.
    pub(super) fn name_of(key: &LimitKey, name: &str) -> Uuid {
        key.id("log-in at name", &[name.as_bytes()])
    }

    /// By account; without an account by the name entered, so that the work is the same.
    pub(super) fn known_network(&self, user: Option<UserId>, name: &str) -> Uuid {
        let (kind, owner): (&[u8], &[u8]) = match &user {
            Some(user) => (b"user", user.0.as_bytes()),
            None => (b"name", name.as_bytes()),
        };
        self.key.id("familiar", &[kind, owner, &self.subnet()])
    }

    /// By account; without an account by the name entered, so that the work is the same.
    pub(super) fn logins(&self, user: Option<UserId>, name: &str) -> Uuid {
        match user {
            Some(user) => RateLimit::LoginsTo(user, self.address).id(self.key),
            None => self.key.id("log-ins to nobody", &[name.as_bytes(), &self.subnet()]),
        }
    }

    /// By account; without an account by the name entered, so that the work is the same.
    fn unknown_logins(&self, user: Option<UserId>, name: &str) -> Uuid {
        match user {
            Some(user) => Self::unknown_logins_of(self.key, user),
            None => self.key.id("log-ins to nobody", &[name.as_bytes()]),
        }
    }

    /// From all networks that the account does not know.
    pub(super) fn unknown_logins_of(key: &LimitKey, user: UserId) -> Uuid {
        key.id("log-ins from unknown", &[user.0.as_bytes()])
    }
}

impl RateLimiter {
    /// Counts a password attempt, with the same statements for every name; call it before the password is checked.
    /// `name` is the username or email address that was entered, `user` the account that has it, if there is one.
    pub async fn begin_login(
        &self,
        name: &str,
        user: Option<UserId>,
        from: IpAddr,
        place: AttemptPlace,
    ) -> Result<(), RateLimitError> {
        if !self.enabled {
            return Ok(());
        }
        let (ids, key) = (CounterIds::new(&self.key, from), mail_domain::key(name));
        let mut tx = self.store.begin(&self.counter, Operation::CountAttempts).await?;
        let counted = [ids.network(), ids.site(), ids.name_and_network(&key), ids.name(&key)];
        let [network, site, name_and_network, name] = tx.limits_lock(counted).await?;
        // An attempt leaves them as they are: a row of each for every name that is tried would fill the table.
        let unchanged = [ids.known_network(user, &key), ids.logins(user, &key), ids.unknown_logins(user, &key)];
        let [known_network, logins, unknown_logins] = tx.limits_read(unchanged).await?;
        let counters = LoginCounters { network, site, name_and_network, name, known_network, logins, unknown_logins };
        match counters.begin(self.clock.now(), place) {
            Ok(LoginCounters { network, site, name_and_network, name, .. }) => {
                tx.limits_write([network, site, name_and_network, name]).await?;
                Ok(tx.commit().await?)
            }
            Err(wait) => {
                tx.rollback().await?;
                self.refusals.count(LimitName::Passwords);
                Err(RateLimitError::Exceeded(wait))
            }
        }
    }

    /// Counts a login to the account, gives back the attempt, resets the failures at both names of the account, and
    /// records the network as known. A database error is only logged, as the login has succeeded.
    ///
    /// A pending login is none yet: until its second factor is right, its attempt counts as a failure.
    pub async fn login_succeeded(&self, user: UserId, from: IpAddr) {
        if !self.enabled {
            return;
        }
        if let Err(error) = self.reset_failures(user, from).await {
            tracing::warn!("a successful login was not recorded in the rate limits: {error}");
        }
    }

    async fn reset_failures(&self, user: UserId, from: IpAddr) -> Result<(), StoreError> {
        let mut conn = self.store.read(&self.counter, Operation::CountAttempts).await?;
        let Some(row) = conn.user_find(user).await? else { return Ok(()) };
        drop(conn);
        let (names, ids) = (names_of(&row), CounterIds::new(&self.key, from));
        let [a, b] = names.each_ref().map(|name| LimitRow::fresh(ids.name_and_network(name)));
        let [c, d] = names.each_ref().map(|name| LimitRow::fresh(ids.name(name)));
        let mut tx = self.store.begin(&self.counter, Operation::CountAttempts).await?;
        let (known_network, logins) = (ids.known_network(Some(user), ""), ids.logins(Some(user), ""));
        let (network, site, unknown_logins) = (ids.network(), ids.site(), ids.unknown_logins(Some(user), ""));
        let [network, site, known_network, logins, unknown_logins, ..] =
            tx.limits_lock([network, site, known_network, logins, unknown_logins, a.id, b.id, c.id, d.id]).await?;
        let now = self.clock.now();
        let was_known = now < known_network.at;
        let until = now + KNOWN_NETWORK_TTL;
        let known_network = LimitRow { at: until, expires_at: until, ..known_network };
        // Those that began at the same time may be more than are allowed: all of them count.
        let logins = LOGINS_TO_ACCOUNT.overdraw(logins, now);
        let unknown_logins = if was_known { unknown_logins } else { LOGINS_TO_ACCOUNT.overdraw(unknown_logins, now) };
        let (network, site) = (PER_NETWORK.give_back(network), PER_SITE.give_back(site));
        tx.limits_write([network, site, known_network, logins, unknown_logins, a, b, c, d]).await?;
        tx.commit().await
    }
}

#[cfg(test)]
#[path = "login_tests.rs"]
mod tests;
