//! Buckets in the database that fill with time.

use super::limiter::RateLimiter;
use crate::crypto::limit_id::LimitKey;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::network::network;
use crate::model::time::Time;
use crate::store::{LimitRow, StoreError, Tx};
use std::net::IpAddr;
use std::time::Duration;
use uuid::Uuid;

/// What is limited, and for whom.
#[derive(Clone, Copy, Debug)]
pub enum RateLimit<'a> {
    /// Sign-ups from an address.
    SignUpFrom(IpAddr),
    /// Answers of passkeys from an address.
    PasskeyFrom(IpAddr),
    /// Mails with a link or a code to an address, which anybody may have asked for.
    MailTo(&'a str),
    /// Mails with a link or a code to the address of an account, asked for in the account: strangers do not use them up.
    MailToOwn(UserId),
    /// Mails that somebody at an address asks for.
    MailFrom(IpAddr),
    /// Team organizations that a user creates.
    NewTeam(UserId),
    /// Links of invitations that a user makes: they may be mailed to people who never asked.
    InviteBy(UserId),
    /// Links of invitations to an organization, whoever of its members makes them.
    InviteTo(OrganizationId),
}

/// How many at once, and how long until there is room for one more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    pub(super) burst: u32,
    pub(super) refill: Duration,
}

/// Why something may not be done now.
#[derive(Debug)]
pub enum RateLimitError {
    /// It was done too often; there is room again after this time.
    Exceeded(Duration),
    /// The database failed.
    Failed(StoreError),
}

impl RateLimitError {
    /// The error of a use case: `wait` makes the one that says when there is room again.
    pub fn or<E: From<StoreError>>(self, wait: impl FnOnce(Duration) -> E) -> E {
        match self {
            RateLimitError::Exceeded(time) => wait(time),
            RateLimitError::Failed(error) => error.into(),
        }
    }
}

impl From<StoreError> for RateLimitError {
    fn from(error: StoreError) -> Self {
        RateLimitError::Failed(error)
    }
}

impl RateLimit<'_> {
    const fn rate(self) -> Rate {
        match self {
            RateLimit::SignUpFrom(_) => Rate { burst: 40, refill: Duration::from_secs(10) },
            RateLimit::PasskeyFrom(_) => Rate { burst: 60, refill: Duration::from_secs(1) },
            // Sooner again than the link of a reset ends: whoever uses them up for somebody leaves them a good link.
            RateLimit::MailTo(_) | RateLimit::MailToOwn(_) => Rate { burst: 6, refill: Duration::from_mins(10) },
            RateLimit::MailFrom(_) => Rate { burst: 20, refill: Duration::from_secs(30) },
            RateLimit::NewTeam(_) => Rate { burst: 20, refill: Duration::from_mins(5) },
            RateLimit::InviteBy(_) => Rate { burst: 50, refill: Duration::from_secs(20) },
            RateLimit::InviteTo(_) => Rate { burst: 200, refill: Duration::from_secs(10) },
        }
    }

    fn id(self, key: &LimitKey) -> Uuid {
        match self {
            RateLimit::SignUpFrom(address) => key.id("sign-up", &[&bytes(address)]),
            RateLimit::PasskeyFrom(address) => key.id("passkey", &[&bytes(address)]),
            RateLimit::MailTo(email) => key.id("mail to", &[folded(email).as_bytes()]),
            RateLimit::MailToOwn(user) => key.id("mail to own", &[user.0.as_bytes()]),
            RateLimit::MailFrom(address) => key.id("mail from", &[&bytes(address)]),
            RateLimit::NewTeam(user) => key.id("team", &[user.0.as_bytes()]),
            RateLimit::InviteBy(user) => key.id("invite by", &[user.0.as_bytes()]),
            RateLimit::InviteTo(organization) => key.id("invite to", &[organization.0.as_bytes()]),
        }
    }
}

impl RateLimiter {
    /// Takes one from the bucket of `limit`; an error if it is empty.
    pub async fn check(&self, limit: RateLimit<'_>) -> Result<(), RateLimitError> {
        if !self.enabled {
            return Ok(());
        }
        let mut tx = self.store.begin().await?;
        let checked = self.check_in(&mut tx, limit).await;
        match checked {
            Ok(()) => tx.commit().await?,
            Err(_) => tx.rollback().await?,
        }
        checked
    }

    /// As [`RateLimiter::check`], in a transaction, which must not be committed after an error. To be called last before
    /// the work itself: other transactions that take from the bucket wait for the end of this one.
    pub async fn check_in(&self, tx: &mut Tx, limit: RateLimit<'_>) -> Result<(), RateLimitError> {
        if !self.enabled {
            return Ok(());
        }
        let [bucket] = tx.limits_lock([limit.id(&self.key)]).await?;
        let bucket = limit.rate().take(bucket, self.clock.now()).map_err(RateLimitError::Exceeded)?;
        Ok(tx.limits_write([bucket]).await?)
    }
}

impl Rate {
    /// The bucket with one less; if it is empty, the error is the time until there is one again.
    pub(super) fn take(self, bucket: LimitRow, now: Time) -> Result<LimitRow, Duration> {
        let at = bucket.at.max(now) + self.refill;
        // When there will be one: zero while the bucket is not empty.
        let wait = at.since(now).saturating_sub(self.refill * self.burst);
        if wait.is_zero() { Ok(LimitRow { at, expires_at: at, ..bucket }) } else { Err(wait) }
    }

    /// The bucket with one more: what succeeded does not count.
    pub(super) fn give_back(self, bucket: LimitRow) -> LimitRow {
        LimitRow { at: bucket.at - self.refill, ..bucket }
    }
}

/// A network as part of an id.
pub(super) fn bytes(address: IpAddr) -> [u8; 16] {
    match network(address) {
        IpAddr::V4(v4) => v4.to_ipv6_mapped().octets(),
        IpAddr::V6(v6) => v6.octets(),
    }
}

/// A name or an address as it is counted: one count for all its spellings.
pub(super) fn folded(typed: &str) -> String {
    typed.trim().to_lowercase()
}

#[cfg(test)]
#[path = "bucket_tests.rs"]
mod tests;
