//! Active sessions of a user: list them, end one, end all others.

use crate::context::App;
use crate::error::Error;
use crate::model::audit::{Actor, AuditEntry, AuditKind};
use crate::model::ids::{SessionId, UserId};
use crate::model::session::EndReason;
use crate::model::time::Time;
use crate::store::{SessionDetailsRow, SessionSummary, Tx};
use uuid::Uuid;

/// A user with more can end all others.
const MAX_LISTED_SESSIONS: i64 = 200;

/// Lists the live sessions of a user, most recently used first.
pub async fn list(app: &App, user: UserId) -> Result<Vec<SessionSummary>, Error> {
    let now = app.clock.now();
    let issued_after = now - app.settings.sessions.refresh_ttl;
    Ok(app.store.read().await?.sessions_live(user, now, issued_after, MAX_LISTED_SESSIONS).await?)
}

/// At most `limit` live sessions of a user, the newest first, after the one with this time and id.
pub async fn page(
    app: &App,
    user: UserId,
    after: (Time, SessionId),
    limit: i64,
) -> Result<Vec<SessionDetailsRow>, Error> {
    let now = app.clock.now();
    let issued_after = now - app.settings.sessions.refresh_ttl;
    Ok(app.store.read().await?.sessions_live_page(user, after, (now, issued_after), limit).await?)
}

/// Ends every session of a user; returns their number.
pub async fn end_all(app: &App, user: UserId, actor: &Actor) -> Result<u64, Error> {
    // No session has this id.
    end_others(app, user, SessionId(Uuid::nil()), actor).await
}

/// Ends a session of a user. Returns `false` if there is none, it has ended before, or the user is none that the actor
/// may change.
pub async fn end(app: &App, user: UserId, session: SessionId, actor: &Actor) -> Result<bool, Error> {
    let mut tx = app.store.begin().await?;
    if !may_change(&mut tx, user, actor).await? {
        return Ok(false);
    }
    let ended = tx.session_end_of_user(user, session, EndReason::Ended.as_str()).await?;
    if ended {
        let actor = actor.clone().about(session);
        tx.audit_push(&AuditEntry::new(AuditKind::SessionEnded, user, &actor)).await?;
    }
    tx.commit().await?;
    Ok(ended)
}

/// Ends every session of a user but `current`; returns their number. None of a user whom the actor may not change.
pub async fn end_others(app: &App, user: UserId, current: SessionId, actor: &Actor) -> Result<u64, Error> {
    let mut tx = app.store.begin().await?;
    if !may_change(&mut tx, user, actor).await? {
        return Ok(0);
    }
    let ended = tx.sessions_end_others(user, current, EndReason::Ended.as_str()).await?;
    if ended > 0 {
        tx.audit_push(&AuditEntry::new(AuditKind::SessionsEnded, user, actor)).await?;
    }
    tx.commit().await?;
    Ok(ended)
}

/// Asked in the transaction, as the user may just have been given a platform role.
async fn may_change(tx: &mut Tx, user: UserId, actor: &Actor) -> Result<bool, Error> {
    if actor.may_change_everybody() {
        return Ok(true);
    }
    Ok(tx.user_lock(user).await?.is_some_and(|row| actor.may_change(row.roles)))
}
