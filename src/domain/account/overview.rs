//! What the account pages show of an account at a glance.

use crate::context::App;
use crate::error::Error;
use crate::model::ids::{SessionId, UserId};
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::store::{Conn, MembershipRow, StoreError};
use std::time::Duration;

/// How long the pages report the reuse (theft) of a refresh token.
const REUSE_NOTICE_RETENTION: Duration = Duration::from_hours(30 * 24);

/// An account in one of its sessions.
pub struct AccountOverview {
    pub is_verified: bool,
    /// The active organization of the session, and the role in it.
    pub membership: MembershipRow,
    /// When a session last ended because its refresh token was reused, if that is recent.
    pub token_reused_at: Option<Time>,
}

/// Returns the overview, or `None` if the session has just ended.
pub async fn overview(
    app: &App,
    principal: &Principal,
    user: UserId,
    session: SessionId,
) -> Result<Option<AccountOverview>, Error> {
    let mut conn = app.store.read_own(principal, Operation::ReadOwnAccount, user).await?;
    let Some(membership) = conn.membership_of_session(session).await? else { return Ok(None) };
    let Some(account) = conn.user_find(user).await? else { return Ok(None) };
    let token_reused_at = reuse(app, &mut conn, user).await?;
    let is_verified = account.email_verified_at.is_some();
    Ok(Some(AccountOverview { is_verified, membership, token_reused_at }))
}

/// When a session of this account last ended because its refresh token was reused, if that is recent.
pub async fn recent_token_reuse(app: &App, principal: &Principal, user: UserId) -> Result<Option<Time>, Error> {
    let mut conn = app.store.read_own(principal, Operation::ReadOwnAccount, user).await?;
    Ok(reuse(app, &mut conn, user).await?)
}

async fn reuse(app: &App, conn: &mut Conn, user: UserId) -> Result<Option<Time>, StoreError> {
    conn.session_reuse_since(user, app.clock.now() - REUSE_NOTICE_RETENTION).await
}

pub struct Protection {
    pub has_password: bool,
    /// When the password was last changed, as far back as the audit log has it.
    pub password_changed_at: Option<Time>,
    /// The number of unused recovery codes, where two-factor authentication is on.
    pub codes_left: Option<usize>,
    pub passkeys: usize,
    /// The number of connected accounts at providers.
    pub identities: usize,
    /// The number of its sessions that are logged in.
    pub sessions: usize,
}

/// Returns what protects an account, or `None` if it was just deleted.
pub async fn protection(app: &App, principal: &Principal, user: UserId) -> Result<Option<Protection>, Error> {
    let mut conn = app.store.read_own(principal, Operation::ReadOwnAccount, user).await?;
    let now = app.clock.now();
    let live = (now, now - app.settings.sessions.refresh_ttl);
    let Some(account) = conn.user_whole(user, live).await? else { return Ok(None) };
    let count = |count: i64| usize::try_from(count).unwrap_or_default();
    Ok(Some(Protection {
        has_password: account.password_hash.is_some(),
        password_changed_at: conn.audit_password_changed_at(user).await?,
        codes_left: account.two_factor_since.map(|_| count(account.recovery_codes_left)),
        passkeys: count(account.passkeys),
        identities: conn.identities_of_user(user).await?.len(),
        sessions: count(account.sessions),
    }))
}
