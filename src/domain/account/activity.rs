//! The audit log of an account, as its user and operators read it.

use crate::domain::directory::list::{ListRange, Listing};
use crate::domain::login::pending::PENDING_LOGIN_TTL;
use crate::model::audit::AuditKind;
use crate::model::ids::UserId;
use crate::model::network::subnet;
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::store::{AuditRow, LoginRow, Store, StoreError};
use std::net::IpAddr;

/// More logins than an account can have in the ten minutes after the newest of the entries.
const MAX_LATER_LOGINS: i64 = 1000;

/// An entry of the audit log.
pub struct Activity {
    /// What is stored.
    pub entry: AuditRow,
    /// Whether the user should look twice: it may have been someone else.
    pub is_suspicious: bool,
}

/// Lists the entries about a user, the latest first.
pub async fn activity(
    store: &Store,
    principal: &Principal,
    user: UserId,
    range: ListRange,
    now: Time,
) -> Result<Listing<Activity>, StoreError> {
    let mut conn = store.read_own(principal, Operation::ReadActivity, user).await?;
    let limit = range.rows();
    let entries = conn.audit_list_of_user(user, range.after, limit).await?;
    let is_pending = |entry: &&AuditRow| entry.kind() == Some(AuditKind::SecondFactorMissing);
    let pending: Vec<Time> = entries.iter().filter(is_pending).map(|entry| entry.at).collect();
    let logins = match (pending.last(), pending.first()) {
        (Some(oldest), Some(newest)) => {
            let limit = limit.saturating_add(MAX_LATER_LOGINS);
            conn.audit_logins(user, (*oldest, *newest + PENDING_LOGIN_TTL), limit).await?
        }
        _ => Vec::new(),
    };
    let classify = |entry: AuditRow| Activity { is_suspicious: is_suspicious(&entry, &logins, now), entry };
    Ok(range.listing(entries, AuditRow::place, classify))
}

/// A password that was right without a second factor is suspicious, unless a login with two factors from the same
/// subnet followed while its pending login was valid.
fn is_suspicious(entry: &AuditRow, logins: &[LoginRow], now: Time) -> bool {
    match entry.kind() {
        Some(AuditKind::ReuseDetected | AuditKind::SecondFactorFailed) => true,
        Some(AuditKind::SecondFactorMissing) => {
            let until = entry.at + PENDING_LOGIN_TTL;
            let followed = |login: &LoginRow| {
                login.had_two_factors()
                    && (entry.at..=until).contains(&login.at)
                    && subnet_of(&login.address) == subnet_of(&entry.address)
            };
            until <= now && !logins.iter().any(followed)
        }
        _ => false,
    }
}

fn subnet_of(address: &str) -> Option<IpAddr> {
    address.parse().ok().map(subnet)
}
