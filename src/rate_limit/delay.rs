//! What logins to one account would wait for now, for the page that says why its owner cannot log in.

use super::bucket::LOGINS_TO_ACCOUNT;
use super::limiter::RateLimiter;
use super::login::{CounterIds, names_of};
use crate::model::time::Time;
use crate::store::{Conn, StoreError, UserRow};
use std::net::IpAddr;
use uuid::Uuid;

/// Logins to an account that a limit refuses now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoginDelay {
    pub from: DelayedFrom,
    pub until: Time,
}

/// Where the logins come from that a limit refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DelayedFrom {
    /// All networks that the account does not know.
    Unknown,
    Address(IpAddr),
    /// Networks that failed and are not among the addresses asked about; of them only hashes are stored.
    Others,
}

impl RateLimiter {
    /// What an attempt to log in to an account would wait for now: from networks that it does not know, from each of these
    /// addresses, and from others. Nothing is counted. The limits of a network for all accounts together are left out.
    pub async fn login_delays(
        &self,
        conn: &mut Conn,
        user: &UserRow,
        from: &[IpAddr],
    ) -> Result<Vec<LoginDelay>, StoreError> {
        if !self.enabled {
            return Ok(Vec::new());
        }
        let now = self.clock.now();
        let refills_at = |row| now + LOGINS_TO_ACCOUNT.take(row, now).err().unwrap_or_default();
        let names = names_of(user);
        let [email_id, username_id] = names.each_ref().map(|name| CounterIds::name_of(&self.key, name));
        let unknown_id = CounterIds::unknown_logins_of(&self.key, user.id);
        let [email, username, unknown_logins] = conn.limits_read([email_id, username_id, unknown_id]).await?;
        let elsewhere = email.at.max(username.at).max(refills_at(unknown_logins));
        let mut delays = vec![LoginDelay { from: DelayedFrom::Unknown, until: elsewhere }];
        let mut shown: Vec<Uuid> = Vec::new();
        for address in from {
            let ids = CounterIds::new(&self.key, *address);
            let [email, username, known, logins] = conn
                .limits_read([
                    ids.name_and_network(&names[0]),
                    ids.name_and_network(&names[1]),
                    ids.known_network(Some(user.id), ""),
                    ids.logins(Some(user.id), ""),
                ])
                .await?;
            let elsewhere = if now < known.at { now } else { elsewhere };
            let until = email.at.max(username.at).max(refills_at(logins)).max(elsewhere);
            delays.push(LoginDelay { from: DelayedFrom::Address(*address), until });
            shown.extend([email.id, username.id]);
        }
        let rows = conn.limits_at_names([email_id, username_id]).await?;
        let others = rows.iter().filter(|row| !shown.contains(&row.id)).map(|row| row.at).max();
        delays.extend(others.map(|until| LoginDelay { from: DelayedFrom::Others, until }));
        delays.retain(|delay| now < delay.until);
        Ok(delays)
    }
}
