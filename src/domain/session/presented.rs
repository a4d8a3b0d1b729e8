//! Judges a refresh token without a refresh: nothing is replaced, and nobody is a thief (docs/protocol.md 17).

use super::rotation::{Decision, RotationPolicy, decide};
use crate::context::App;
use crate::crypto::refresh_token::PresentedRefreshToken;
use crate::error::Error;
use crate::model::time::Time;
use crate::store::{KnownSession, SessionRow};
use std::sync::Arc;

/// A live session whose refresh token was presented.
pub struct PresentedSession {
    /// The session and its user.
    pub view: Arc<KnownSession>,
    /// The token's generation, if it is the session's current one.
    pub current_generation: Option<i64>,
    /// When the current token was issued.
    pub issued_at: Time,
    /// Whether a refresh would replace the token, which is the current one.
    pub is_due: bool,
}

/// What a refresh would say of a token.
pub enum Judgement {
    /// It would be accepted.
    Accepted(PresentedSession),
    /// It was replaced before, and is no longer accepted.
    Replaced,
    /// It is not valid.
    Refused,
}

/// Judges a token by what is believed of its session, which is at most half a second old.
pub async fn judge(app: &App, presented: &PresentedRefreshToken) -> Result<Judgement, Error> {
    if let Some(row) = app.store.sessions().recent(presented.session()) {
        let judgement = judge_by(app, presented, &row).await?;
        // A refusal may be out of date: the token may have been issued a moment ago.
        if matches!(judgement, Judgement::Accepted(_)) {
            return Ok(judgement);
        }
    }
    match app.store.sessions().read_recent(presented.session()).await? {
        Some(row) => judge_by(app, presented, &row).await,
        None => Ok(Judgement::Refused),
    }
}

async fn judge_by(app: &App, presented: &PresentedRefreshToken, row: &SessionRow) -> Result<Judgement, Error> {
    if !presented.verify(&app.secret_keys, &row.nonce) {
        return Ok(Judgement::Refused);
    }
    let now = app.store.database_time();
    let view = app.store.sessions().get_cached(row.id, row.user_id).await?;
    let Some(view) = view.filter(|view| view.user_id == row.user_id && view.is_live(now)) else {
        return Ok(Judgement::Refused);
    };
    // What this process has seen of the current token, and not written yet.
    let used = row.used || view.received_generation() >= row.generation;
    let policy = RotationPolicy::from(&app.settings.sessions);
    let generation = presented.generation();
    let decision = if used == row.used {
        decide(row, generation, &policy, now)
    } else {
        decide(&SessionRow { used, ..row.clone() }, generation, &policy, now)
    };
    Ok(match decision {
        Decision::Accept { reissue, .. } => {
            let is_current = generation == row.generation;
            Judgement::Accepted(PresentedSession {
                view,
                current_generation: is_current.then_some(generation),
                issued_at: row.issued_at,
                is_due: is_current && reissue,
            })
        }
        Decision::Reuse => Judgement::Replaced,
        Decision::Refuse | Decision::Newer => Judgement::Refused,
    })
}
