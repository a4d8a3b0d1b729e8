//! What users do with their sessions: see them, end one, end all others.

use crate::context::App;
use crate::error::Error;
use crate::model::audit::{AuditEntry, AuditKind, By};
use crate::model::ids::{SessionId, UserId};
use crate::model::session::EndReason;
use crate::store::SessionSummary;

/// More are not shown; who has more can end all others.
const SHOWN: i64 = 200;

/// The sessions of a user that can still be used, the latest used first.
pub async fn list(app: &App, user: UserId) -> Result<Vec<SessionSummary>, Error> {
    let now = app.clock.now();
    let issued_after = now - app.settings.sessions.refresh_ttl;
    Ok(app.store.read().await?.sessions_live(user, now, issued_after, SHOWN).await?)
}

/// Ends a session of a user; `false` if there is none, or it had ended before.
pub async fn end(app: &App, user: UserId, session: SessionId, by: &By) -> Result<bool, Error> {
    let mut tx = app.store.begin().await?;
    let ended = tx.session_end_of_user(user, session, EndReason::Ended.as_str()).await?;
    if ended {
        let by = by.clone().about(session);
        tx.audit_push(&AuditEntry::new(AuditKind::SessionEnded, user, &by)).await?;
    }
    tx.commit().await?;
    Ok(ended)
}

/// Ends every session of a user but `keep`; gives how many there were.
pub async fn end_others(app: &App, user: UserId, keep: SessionId, by: &By) -> Result<u64, Error> {
    let mut tx = app.store.begin().await?;
    let ended = tx.sessions_end_others(user, keep, EndReason::Ended.as_str()).await?;
    if ended > 0 {
        tx.audit_push(&AuditEntry::new(AuditKind::SessionsEnded, user, by)).await?;
    }
    tx.commit().await?;
    Ok(ended)
}
