//! Buckets in the database that fill with time.

use crate::app::App;
use crate::clock::Time;
use crate::domain::ids::{OrganizationId, UserId};
use crate::store::{LimitRow, StoreError, Tx};
use std::net::IpAddr;
use std::time::Duration;
use uuid::Uuid;

/// What is limited, and for whom.
#[derive(Clone, Copy, Debug)]
pub enum Limited<'a> {
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
pub enum Refused {
    /// It was done too often; there is room again after this time.
    Wait(Duration),
    /// The database failed.
    Failed(StoreError),
}

impl Refused {
    /// The error of a use case: `wait` makes the one that says when there is room again.
    pub fn or<E: From<StoreError>>(self, wait: impl FnOnce(Duration) -> E) -> E {
        match self {
            Refused::Wait(time) => wait(time),
            Refused::Failed(error) => error.into(),
        }
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Refused::Failed(error)
    }
}

impl Limited<'_> {
    const fn rate(self) -> Rate {
        match self {
            Limited::SignUpFrom(_) => Rate { burst: 40, refill: Duration::from_secs(10) },
            Limited::PasskeyFrom(_) => Rate { burst: 60, refill: Duration::from_secs(1) },
            // Sooner again than the link of a reset ends: whoever uses them up for somebody leaves them a good link.
            Limited::MailTo(_) | Limited::MailToOwn(_) => Rate { burst: 6, refill: Duration::from_mins(10) },
            Limited::MailFrom(_) => Rate { burst: 20, refill: Duration::from_secs(30) },
            Limited::NewTeam(_) => Rate { burst: 20, refill: Duration::from_mins(5) },
            Limited::InviteBy(_) => Rate { burst: 50, refill: Duration::from_secs(20) },
            Limited::InviteTo(_) => Rate { burst: 200, refill: Duration::from_secs(10) },
        }
    }

    fn id(self, app: &App) -> Uuid {
        match self {
            Limited::SignUpFrom(address) => app.secret_keys.limit_id("sign-up", &[&bytes(address)]),
            Limited::PasskeyFrom(address) => app.secret_keys.limit_id("passkey", &[&bytes(address)]),
            Limited::MailTo(email) => app.secret_keys.limit_id("mail to", &[folded(email).as_bytes()]),
            Limited::MailToOwn(user) => app.secret_keys.limit_id("mail to own", &[user.0.as_bytes()]),
            Limited::MailFrom(address) => app.secret_keys.limit_id("mail from", &[&bytes(address)]),
            Limited::NewTeam(user) => app.secret_keys.limit_id("team", &[user.0.as_bytes()]),
            Limited::InviteBy(user) => app.secret_keys.limit_id("invite by", &[user.0.as_bytes()]),
            Limited::InviteTo(organization) => app.secret_keys.limit_id("invite to", &[organization.0.as_bytes()]),
        }
    }
}

/// Takes one from the bucket.
pub async fn take(app: &App, what: Limited<'_>) -> Result<(), Refused> {
    if !app.settings.server.rate_limit {
        return Ok(());
    }
    let mut tx = app.store.begin().await?;
    let taken = take_in(app, &mut tx, what).await;
    match taken {
        Ok(()) => tx.commit().await?,
        Err(_) => tx.rollback().await?,
    }
    taken
}

/// The same in a transaction, which is not to be committed if this is refused. To be asked last before the work: others
/// who take from the bucket wait for the transaction's end.
pub async fn take_in(app: &App, tx: &mut Tx, what: Limited<'_>) -> Result<(), Refused> {
    if !app.settings.server.rate_limit {
        return Ok(());
    }
    let [bucket] = tx.limits_lock([what.id(app)]).await?;
    let bucket = what.rate().take(bucket, app.clock.now()).map_err(Refused::Wait)?;
    Ok(tx.limits_write([bucket]).await?)
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

/// One customer of a provider has a whole IPv6 /64, so that counts as one address.
pub fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => IpAddr::from((u128::from(v6) & !u128::from(u64::MAX)).to_be_bytes()),
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
