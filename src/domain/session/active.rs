//! Active sessions of a user: list them, end one, end all others.

use crate::context::App;
use crate::domain::directory::list::ListRange;
use crate::domain::directory::session::{self, SessionRecord};
use crate::domain::identity::notify_admins::notify_admins;
use crate::error::Error;
use crate::mail::AdminNotice;
use crate::model::change::AccountChange;
use crate::model::ids::{SessionId, UserId};
use crate::model::principal::{Operation, Principal};
use crate::model::session::EndReason;
use crate::refusal::ChangeError;
use crate::store::{Tx, UserRow};
use uuid::Uuid;

/// A user with more can end all others.
const MAX_LISTED_SESSIONS: u32 = 200;

/// The live sessions of a user, seen from one of them.
pub struct ActiveSessions {
    /// The one that asks.
    pub current: SessionRecord,
    /// The newest others, the newest first.
    pub others: Vec<SessionRecord>,
}

/// Lists the live sessions of a user; `None` if the current one has just ended. It is read by itself: who opens many
/// sessions must not hide it, and with it the button that ends them.
pub async fn list(
    app: &App,
    principal: &Principal,
    user: UserId,
    current: SessionId,
) -> Result<Option<ActiveSessions>, Error> {
    let (now, range) = (app.clock.now(), ListRange::first(MAX_LISTED_SESSIONS));
    let mut conn = app.store.read_own(principal, Operation::ListSessions, user).await?;
    let found = session::find(&mut conn, &app.settings, now, user, current).await?;
    let Some(current) = found else { return Ok(None) };
    let mut others = session::list(&mut conn, &app.settings, now, user, range).await?.data;
    others.retain(|session| session.id != current.id);
    Ok(Some(ActiveSessions { current, others }))
}

pub async fn end_all(app: &App, principal: &Principal, user: UserId) -> Result<u64, ChangeError> {
    // No session has this id.
    end_others(app, principal, user, SessionId(Uuid::nil())).await
}

/// Ends a session of a user. Returns `false` if there is none, or it has ended before.
pub async fn end(app: &App, principal: &Principal, user: UserId, session: SessionId) -> Result<bool, ChangeError> {
    let mut tx = app.store.begin(principal, Operation::EndSessions).await?;
    let Some(account) = lock(&mut tx, user).await? else { return Ok(false) };
    let ended = tx.session_end_of_user(user, session, EndReason::Ended.as_str()).await?;
    if ended {
        tx.record_account(user, AccountChange::SessionEnded(session)).await?;
        notify_admins(app, &mut tx, &account, account.roles, AdminNotice::SessionsEnded).await?;
    }
    tx.commit().await?;
    Ok(ended)
}

/// Ends every session of a user but `current`; returns their number.
pub async fn end_others(
    app: &App,
    principal: &Principal,
    user: UserId,
    current: SessionId,
) -> Result<u64, ChangeError> {
    let mut tx = app.store.begin(principal, Operation::EndSessions).await?;
    let Some(account) = lock(&mut tx, user).await? else { return Ok(0) };
    let ended = tx.sessions_end_others(user, current, EndReason::Ended.as_str()).await?;
    if ended > 0 {
        tx.record_account(user, AccountChange::SessionsEnded).await?;
        notify_admins(app, &mut tx, &account, account.roles, AdminNotice::SessionsEnded).await?;
    }
    tx.commit().await?;
    Ok(ended)
}

/// Locks a user whom the principal may change; `None` if there is none, who has no sessions. In the transaction, as the
/// user may just have been given a platform role.
async fn lock(tx: &mut Tx, user: UserId) -> Result<Option<UserRow>, ChangeError> {
    let Some(account) = tx.user_lock(user).await? else { return Ok(None) };
    tx.require_changeable(&account)?;
    Ok(Some(account))
}
