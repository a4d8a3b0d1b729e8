//! The audit log of an account, as its user and operators read it.

use crate::domain::directory::audit::{self, AuditAbout, AuditQuery, as_owner_sees};
use crate::domain::directory::list::{ListRange, Listing};
use crate::domain::login::pending::PENDING_LOGIN_TTL;
use crate::model::audit::AuditKind;
use crate::model::ids::UserId;
use crate::model::network::subnet;
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::store::{AuditPart, AuditRow, Conn, LoginRow, Store, StoreError};
use std::net::IpAddr;

/// More logins than an account can have in the ten minutes after the newest of the entries.
const MAX_LATER_LOGINS: i64 = 1000;

pub struct Activity {
    pub entry: AuditRow,
    /// Whether the user should look twice: it may have been someone else.
    pub is_suspicious: bool,
}

/// Which entries of a log to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActivityFilter {
    All,
    /// What is about who can log in to the account.
    Security,
}

/// Lists the entries in a user's own log, the latest first. To the person themselves, administrators are the operator.
pub async fn activity(
    store: &Store,
    principal: &Principal,
    user: UserId,
    filter: ActivityFilter,
    range: ListRange,
    now: Time,
) -> Result<Listing<Activity>, StoreError> {
    let mut conn = store.read_own(principal, Operation::ReadActivity, user).await?;
    let AuditPart { rows, cut } = match filter {
        ActivityFilter::All => {
            AuditPart { rows: conn.audit_list_of_user(user, range.after, range.rows()).await?, cut: None }
        }
        ActivityFilter::Security => conn.audit_list_of_security(user, range.after, range.rows()).await?,
    };
    let entries = range.listing_until(rows, cut, AuditRow::place, |row| row);
    let Listing { data, next, is_cut } = classified(&mut conn, Some(user), entries, now).await?;
    if !principal.is_user() {
        return Ok(Listing { data, next, is_cut });
    }
    let shown = |activity: Activity| Activity { entry: as_owner_sees(activity.entry), ..activity };
    Ok(Listing { data: data.into_iter().map(shown).collect(), next, is_cut })
}

/// Lists entries of the whole log, the latest first, for who may read all of it.
pub async fn whole_activity(
    store: &Store,
    principal: &Principal,
    query: &AuditQuery,
    range: ListRange,
    now: Time,
) -> Result<Listing<Activity>, StoreError> {
    let mut conn = store.read(principal, Operation::ReadActivity).await?;
    let entries = audit::list(&mut conn, query, range).await?;
    let user = match query.about {
        Some(AuditAbout::Id(id)) => Some(UserId(id)),
        _ => None,
    };
    classified(&mut conn, user, entries, now).await
}

/// The same entries, with which of them are suspicious. Logins without second factor are looked up for one user only.
async fn classified(
    conn: &mut Conn,
    user: Option<UserId>,
    entries: Listing<AuditRow>,
    now: Time,
) -> Result<Listing<Activity>, StoreError> {
    let Listing { data, next, is_cut } = entries;
    let is_pending = |entry: &&AuditRow| entry.kind() == Some(AuditKind::SecondFactorMissing);
    let pending: Vec<Time> = data.iter().filter(is_pending).map(|entry| entry.at).collect();
    let logins = match (user, pending.last(), pending.first()) {
        (Some(user), Some(oldest), Some(newest)) => {
            let limit = i64::try_from(data.len()).unwrap_or(i64::MAX).saturating_add(MAX_LATER_LOGINS);
            conn.audit_logins(user, (*oldest, *newest + PENDING_LOGIN_TTL), limit).await?
        }
        _ => Vec::new(),
    };
    let is_suspicious = |entry: &AuditRow| match user {
        Some(_) => is_suspicious(entry, &logins, now),
        None => is_always_suspicious(entry),
    };
    let data = data.into_iter().map(|entry| Activity { is_suspicious: is_suspicious(&entry), entry }).collect();
    Ok(Listing { data, next, is_cut })
}

fn is_always_suspicious(entry: &AuditRow) -> bool {
    matches!(entry.kind(), Some(AuditKind::ReuseDetected | AuditKind::SecondFactorFailed))
}

/// A password that was right without a second factor is suspicious, unless a login with two factors from the same
/// subnet followed while its pending login was valid.
fn is_suspicious(entry: &AuditRow, logins: &[LoginRow], now: Time) -> bool {
    match entry.kind() {
        Some(AuditKind::SecondFactorMissing) => {
            let until = entry.at + PENDING_LOGIN_TTL;
            let followed = |login: &LoginRow| {
                login.had_two_factors()
                    && (entry.at..=until).contains(&login.at)
                    && subnet_of(&login.address) == subnet_of(&entry.address)
            };
            until <= now && !logins.iter().any(followed)
        }
        _ => is_always_suspicious(entry),
    }
}

fn subnet_of(address: &str) -> Option<IpAddr> {
    address.parse().ok().map(subnet)
}
