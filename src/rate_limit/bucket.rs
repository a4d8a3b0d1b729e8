//! Token buckets in the database.

use super::limiter::RateLimiter;
use super::rate::Rate;
use crate::crypto::keyed_hash::LimitKey;
use crate::metrics::LimitName;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::mail_domain;
use crate::model::names::names;
use crate::model::network::{site, subnet};
use crate::model::principal::Operation;
use crate::store::{StoreError, Tx};
use std::net::IpAddr;
use std::time::Duration;
use uuid::Uuid;

/// An action that is limited, and the key that it is counted by.
#[derive(Clone, Copy, Debug)]
pub enum RateLimit<'a> {
    /// Signups from a site.
    SignupFrom(IpAddr),
    /// Logins to an account from a subnet that succeed.
    LoginsTo(UserId, IpAddr),
    /// Passkey assertions from a subnet.
    PasskeyFrom(IpAddr),
    /// Logins with providers that begin from a site, and returns whose state is unknown.
    ProviderFrom(IpAddr),
    /// Returns from a site for which the provider was asked, and did not vouch for a person.
    ProviderReturnFrom(IpAddr),
    /// Emails with a link or a code to an email address, which anyone may have requested, except links to set a new
    /// password.
    MailTo(&'a str),
    /// Links to set a new password, to an email address. Counted apart, so that no other email uses up the only way in.
    ResetLinkTo(&'a str),
    /// Emails with a link or a code to the email address that an account holds, requested in its session: others cannot
    /// use them up. By the address, so that another account with it does not begin a new count.
    MailToOwn(&'a str),
    NoticeTo(NoticeWeight, UserId),
    /// Notices of any kind to an email address, whose accounts may be many, one after the other.
    NoticeAt(&'a str),
    /// What administrators did to one account, to one of them. Counted apart for each account, so that deeds to others
    /// cannot silence one to this; how many deeds there are is limited by [`ChangeKind::Administration`].
    DeedTo(UserId, UserId),
    /// Emails that are requested from a site.
    MailFrom(IpAddr),
    NewTeam(UserId),
    /// Invitation links that a user creates: they may be mailed to people who did not ask for them.
    InviteBy(UserId),
    /// Invitation links to an organization, by any of its members.
    InviteTo(OrganizationId),
    /// Invitation links from a site, whose accounts may be many.
    InviteFrom(IpAddr),
    /// Changes that a user makes, also those that are refused: each costs an event, an audit entry or a mail, or tells
    /// whether a name is taken.
    Change(ChangeKind, UserId),
    /// Usernames that are tried from a site, whose accounts may be many.
    NamesFrom(IpAddr),
    /// Changes from a site, of all its accounts: each costs an event that everybody's webhooks wait behind.
    ChangesFrom(IpAddr),
}

names! {
    /// What a notice is worth. Each weight has its own limit, so that what anyone at an open browser repeats at will
    /// does not hide what a thief does next. The names are part of ids of buckets.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum NoticeWeight {
        /// A way to log in was added.
        Addition = "addition",
        /// The password was changed, or a way to log in removed.
        Loss = "loss",
    }
}

names! {
    /// What a user changes. The names are part of ids of buckets.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ChangeKind {
        /// The username, and the names of passkeys.
        Names = "names",
        /// What the user logs in with: password, second factors, passkeys, trusted devices, each step of a change of the
        /// email address; and the end of the account.
        Factors = "factors",
        /// The active organization, and answers to invitations.
        Switches = "switches",
        /// Organizations themselves: create, rename, delete, leave.
        Organizations = "organizations",
        /// The members of organizations: roles, removals, revoked invitations.
        Members = "members",
        /// The language of mails.
        Languages = "languages",
        /// Exports of one's own data, and of the audit log: each costs an entry in the log.
        Exports = "exports",
        /// What an administrator does for others.
        Administration = "administration",
    }
}

/// Logins that succeed, of one account: each costs a password hash, a session and an entry in the audit log.
pub(super) const LOGINS_TO_ACCOUNT: Rate = Rate { burst: 20, refill_interval: Duration::from_secs(10) };

const MAILS_TO_ADDRESS: Rate = Rate { burst: 6, refill_interval: Duration::from_mins(10) };

/// Why an action is not allowed now.
#[derive(Debug)]
pub enum RateLimitError {
    /// The rate limit is exceeded; a retry is allowed after this time.
    Exceeded(Duration),
    Failed(StoreError),
}

impl RateLimitError {
    /// How long a limit refuses; `None` if it does not.
    pub fn wait_of(checked: Result<(), Self>) -> Result<Option<Duration>, StoreError> {
        match checked {
            Ok(()) => Ok(None),
            Err(RateLimitError::Exceeded(retry_after)) => Ok(Some(retry_after)),
            Err(RateLimitError::Failed(error)) => Err(error),
        }
    }
}

impl From<StoreError> for RateLimitError {
    fn from(error: StoreError) -> Self {
        RateLimitError::Failed(error)
    }
}

impl RateLimit<'_> {
    pub(super) const fn rate(self) -> Rate {
        match self {
            RateLimit::SignupFrom(_) => Rate { burst: 40, refill_interval: Duration::from_secs(10) },
            RateLimit::LoginsTo(..) => LOGINS_TO_ACCOUNT,
            RateLimit::PasskeyFrom(_) => Rate { burst: 60, refill_interval: Duration::from_secs(1) },
            // Several tabs and people behind one address, and no end of rows in the database.
            RateLimit::ProviderFrom(_) => Rate { burst: 100, refill_interval: Duration::from_secs(2) },
            // Each is a request to the provider in the operator's name.
            RateLimit::ProviderReturnFrom(_) => Rate { burst: 60, refill_interval: Duration::from_secs(2) },
            // It refills before a reset link expires: who uses up another user's reset links leaves them a valid one.
            RateLimit::MailTo(_) | RateLimit::ResetLinkTo(_) | RateLimit::MailToOwn(_) => MAILS_TO_ADDRESS,
            // Together as many as emails to an address.
            RateLimit::NoticeTo(NoticeWeight::Addition, _) => {
                Rate { burst: 4, refill_interval: Duration::from_mins(15) }
            }
            RateLimit::NoticeTo(NoticeWeight::Loss, _) => Rate { burst: 2, refill_interval: Duration::from_mins(30) },
            // One account never reaches it: a thief does not hide its deletion behind what they did before.
            RateLimit::NoticeAt(_) | RateLimit::DeedTo(..) => {
                Rate { burst: 12, refill_interval: Duration::from_mins(5) }
            }
            RateLimit::MailFrom(_) => Rate { burst: 20, refill_interval: Duration::from_secs(30) },
            RateLimit::NewTeam(_) => Rate { burst: 20, refill_interval: Duration::from_mins(5) },
            RateLimit::InviteBy(_) => Rate { burst: 50, refill_interval: Duration::from_secs(20) },
            RateLimit::InviteTo(_) => Rate { burst: 200, refill_interval: Duration::from_secs(10) },
            RateLimit::InviteFrom(_) => Rate { burst: 100, refill_interval: Duration::from_secs(10) },
            // To put a team in order takes many changes, and so does a day at the help desk.
            RateLimit::Change(ChangeKind::Members | ChangeKind::Administration, _) => {
                Rate { burst: 60, refill_interval: Duration::from_secs(10) }
            }
            RateLimit::Change(ChangeKind::Exports, _) => Rate { burst: 5, refill_interval: Duration::from_mins(10) },
            RateLimit::Change(..) => Rate { burst: 20, refill_interval: Duration::from_mins(1) },
            RateLimit::NamesFrom(_) => Rate { burst: 60, refill_interval: Duration::from_secs(20) },
            RateLimit::ChangesFrom(_) => Rate { burst: 200, refill_interval: Duration::from_secs(5) },
        }
    }

    pub(super) fn id(self, key: &LimitKey) -> Uuid {
        match self {
            RateLimit::SignupFrom(address) => key.id("sign-up", &[&bytes(site(address))]),
            RateLimit::LoginsTo(user, address) => key.id("log-ins to", &[user.0.as_bytes(), &bytes(subnet(address))]),
            RateLimit::PasskeyFrom(address) => key.id("passkey", &[&bytes(subnet(address))]),
            RateLimit::ProviderFrom(address) => key.id("provider", &[&bytes(site(address))]),
            RateLimit::ProviderReturnFrom(address) => key.id("provider return", &[&bytes(site(address))]),
            RateLimit::MailTo(email) => key.id("mail to", &[mailbox(email).as_bytes()]),
            RateLimit::ResetLinkTo(email) => key.id("reset link to", &[mail_domain::key(email).as_bytes()]),
            RateLimit::MailToOwn(email) => key.id("mail to own", &[mail_domain::key(email).as_bytes()]),
            RateLimit::NoticeTo(weight, user) => key.id("notice to", &[weight.as_str().as_bytes(), user.0.as_bytes()]),
            RateLimit::NoticeAt(email) => key.id("notice at", &[mailbox(email).as_bytes()]),
            RateLimit::DeedTo(to, account) => key.id("deed to", &[to.0.as_bytes(), account.0.as_bytes()]),
            RateLimit::MailFrom(address) => key.id("mail from", &[&bytes(site(address))]),
            RateLimit::NewTeam(user) => key.id("team", &[user.0.as_bytes()]),
            RateLimit::InviteBy(user) => key.id("invite by", &[user.0.as_bytes()]),
            RateLimit::InviteTo(organization) => key.id("invite to", &[organization.0.as_bytes()]),
            RateLimit::Change(kind, user) => key.id("change", &[kind.as_str().as_bytes(), user.0.as_bytes()]),
            RateLimit::NamesFrom(address) => key.id("names from", &[&bytes(site(address))]),
            RateLimit::InviteFrom(address) => key.id("invite from", &[&bytes(site(address))]),
            RateLimit::ChangesFrom(address) => key.id("changes from", &[&bytes(site(address))]),
        }
    }

    /// What it is called in the metrics.
    pub(super) const fn name(self) -> LimitName {
        match self {
            RateLimit::SignupFrom(_) => LimitName::Signups,
            RateLimit::LoginsTo(..) => LimitName::Logins,
            RateLimit::PasskeyFrom(_) => LimitName::Passkeys,
            RateLimit::ProviderFrom(_) | RateLimit::ProviderReturnFrom(_) => LimitName::Providers,
            RateLimit::MailTo(_) | RateLimit::ResetLinkTo(_) | RateLimit::MailToOwn(_) => LimitName::MailsToAddress,
            RateLimit::NoticeTo(..) | RateLimit::NoticeAt(_) | RateLimit::DeedTo(..) => LimitName::Notices,
            RateLimit::MailFrom(_) => LimitName::MailsFromSite,
            RateLimit::NewTeam(_) => LimitName::Organizations,
            RateLimit::InviteBy(_) | RateLimit::InviteTo(_) | RateLimit::InviteFrom(_) => LimitName::Invitations,
            RateLimit::Change(ChangeKind::Exports, _) => LimitName::Exports,
            RateLimit::Change(..) | RateLimit::ChangesFrom(_) => LimitName::Changes,
            RateLimit::NamesFrom(_) => LimitName::Usernames,
        }
    }

    /// The time in `Retry-After`. For emails to an address it is at least the refill interval: the exact time would let an
    /// attacker take each permit as it is refilled.
    pub(super) fn shown(self, wait: Duration) -> Duration {
        match self {
            RateLimit::MailTo(_) | RateLimit::ResetLinkTo(_) => wait.max(MAILS_TO_ADDRESS.refill_interval),
            _ => wait,
        }
    }
}

impl RateLimiter {
    /// Takes one from the bucket of `limit`; returns an error if it is empty.
    pub async fn check(&self, limit: RateLimit<'_>) -> Result<(), RateLimitError> {
        self.check_all([limit]).await
    }

    /// Takes one from the bucket of each limit, or nothing from any if one is empty: then returns the error of the first
    /// that is.
    pub async fn check_all<const N: usize>(&self, limits: [RateLimit<'_>; N]) -> Result<(), RateLimitError> {
        if !self.enabled {
            return Ok(());
        }
        let mut tx = self.store.begin(&self.counter, Operation::CountAttempts).await?;
        let checked = self.check_in(&mut tx, limits).await;
        match checked {
            Ok(()) => tx.commit().await?,
            Err(_) => tx.rollback().await?,
        }
        checked
    }

    /// As [`RateLimiter::check_all`], in a transaction; after [`RateLimitError::Exceeded`] it counts nothing. Call it
    /// last before the work itself: the rows of the buckets are locked until the end of the transaction.
    pub async fn check_in<const N: usize>(
        &self,
        tx: &mut Tx,
        limits: [RateLimit<'_>; N],
    ) -> Result<(), RateLimitError> {
        if !self.enabled {
            return Ok(());
        }
        let mut buckets = tx.limits_lock(limits.map(|limit| limit.id(&self.key))).await?;
        let now = self.clock.now();
        for (bucket, limit) in buckets.iter_mut().zip(limits) {
            let taken = limit.rate().take(*bucket, now);
            *bucket = taken.map_err(|wait| {
                self.refusals.count(limit.name());
                RateLimitError::Exceeded(limit.shown(wait))
            })?;
        }
        Ok(tx.limits_write(buckets).await?)
    }

    /// Gives back what a check took: the attempt has succeeded. So a database error is only logged.
    pub async fn give_back(&self, limit: RateLimit<'_>) {
        if !self.enabled {
            return;
        }
        if let Err(error) = self.refill(limit).await {
            tracing::warn!("a successful attempt was not given back in the rate limits: {error}");
        }
    }

    async fn refill(&self, limit: RateLimit<'_>) -> Result<(), StoreError> {
        let mut tx = self.store.begin(&self.counter, Operation::CountAttempts).await?;
        let [bucket] = tx.limits_lock([limit.id(&self.key)]).await?;
        tx.limits_write([limit.rate().give_back(bucket)]).await?;
        tx.commit().await
    }
}

/// A network as part of an id.
pub(super) fn bytes(network: IpAddr) -> [u8; 16] {
    match network {
        IpAddr::V4(v4) => v4.to_ipv6_mapped().octets(),
        IpAddr::V6(v6) => v6.octets(),
    }
}

/// The mailbox of an email address: what stands between a plus sign and the `@` is a note to its owner.
fn mailbox(email: &str) -> String {
    let email = mail_domain::key(email);
    match email.rsplit_once('@').and_then(|(local, domain)| Some((local.split_once('+')?.0, domain))) {
        Some((local, domain)) if !local.is_empty() => format!("{local}@{domain}"),
        _ => email,
    }
}
