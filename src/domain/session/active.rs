//! Active sessions of a user: list them, end one, end all others.

use crate::context::App;
use crate::domain::identity::operator_error::{OperatorError, require_changeable};
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
pub async fn end_all(app: &App, user: UserId, actor: &Actor) -> Result<u64, OperatorError> {
    // No session has this id.
    end_others(app, user, SessionId(Uuid::nil()), actor).await
}

/// Ends a session of a user. Returns `false` if there is none, or it has ended before.
pub async fn end(app: &App, user: UserId, session: SessionId, actor: &Actor) -> Result<bool, OperatorError> {
    let mut tx = app.store.begin().await?;
    protect(&mut tx, user, actor).await?;
    let ended = tx.session_end_of_user(user, session, EndReason::Ended.as_str()).await?;
    if ended {
        let actor = actor.clone().about(session);
        tx.audit_push(&AuditEntry::new(AuditKind::SessionEnded, user, &actor)).await?;
    }
    tx.commit().await?;
    Ok(ended)
}

/// Ends every session of a user but `current`; returns their number.
pub async fn end_others(app: &App, user: UserId, current: SessionId, actor: &Actor) -> Result<u64, OperatorError> {
    let mut tx = app.store.begin().await?;
    protect(&mut tx, user, actor).await?;
    let ended = tx.sessions_end_others(user, current, EndReason::Ended.as_str()).await?;
    if ended > 0 {
        tx.audit_push(&AuditEntry::new(AuditKind::SessionsEnded, user, actor)).await?;
    }
    tx.commit().await?;
    Ok(ended)
}

/// Refuses a user with platform roles to an actor who may not change one. In the transaction, as the user may just have
/// been given such a role. Who is gone has no sessions.
async fn protect(tx: &mut Tx, user: UserId, actor: &Actor) -> Result<(), OperatorError> {
    if actor.may_change_everybody() {
        return Ok(());
    }
    tx.user_lock(user).await?.map_or(Ok(()), |row| require_changeable(actor, &row))
}
