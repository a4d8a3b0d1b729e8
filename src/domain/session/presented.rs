//! Evaluates a refresh token without a refresh: replaces nothing, triggers no reuse detection (docs/reference/gate.md
//! 17).

use super::candidates::CandidateSessions;
use super::rotation::{self, RotationPolicy, TokenState};
use crate::context::App;
use crate::crypto::refresh_token::PresentedRefreshToken;
use crate::error::Error;
use crate::model::session_view::KnownSession;
use crate::model::time::Time;
use crate::store::{RefreshTokens, SessionRow};
use std::sync::Arc;

/// Whose refresh token this is, for what tells no more than a name: by the session in memory, and without a statement.
/// Whether a refresh would accept the token is not asked.
pub async fn view_in_memory(app: &App, presented: &PresentedRefreshToken) -> Option<Arc<KnownSession>> {
    let session = app.store.sessions().in_memory(presented.session()).await?;
    let is_authentic = presented.verify(&app.secret_keys, &session.nonce);
    (is_authentic && session.is_live(app.clock.now())).then_some(session.view)
}

/// A live session whose refresh token was presented.
pub struct PresentedSession {
    pub view: Arc<KnownSession>,
    /// The token's generation, if it is the session's current one.
    pub current_generation: Option<i64>,
    pub issued_at: Time,
    /// Whether a refresh would replace the token, which is the current one.
    pub is_due: bool,
}

/// What a refresh would say of a token.
pub enum TokenVerdict {
    Accepted(PresentedSession),
    /// It was replaced before, and is no longer accepted.
    Replaced,
    Refused,
}

/// Evaluates a token by its session in memory, whose tokens are less than a second old; else by that of `sessions`, which
/// are those of the request's tokens.
pub async fn evaluate(
    app: &App,
    sessions: &mut CandidateSessions,
    presented: &PresentedRefreshToken,
) -> Result<TokenVerdict, Error> {
    if let Some(session) = app.store.sessions().recent(presented.session()).await {
        // What it is made with never changes: a forged one costs no read.
        if !presented.verify(&app.secret_keys, &session.nonce) {
            return Ok(TokenVerdict::Refused);
        }
        let verdict = evaluate_authentic(app, presented.generation(), session);
        // A refusal may be out of date: the token may have been issued a moment ago.
        if matches!(verdict, TokenVerdict::Accepted(_)) {
            return Ok(verdict);
        }
    }
    let session = sessions.find(app, presented).await?;
    Ok(session.map_or(TokenVerdict::Refused, |session| evaluate_authentic(app, presented.generation(), session)))
}

fn evaluate_authentic(app: &App, generation: i64, session: SessionRow) -> TokenVerdict {
    let now = app.store.database_time();
    if session.organization_role.is_none() || !session.is_live(now) {
        return TokenVerdict::Refused;
    }
    let view = session.view;
    // What this process has seen of the current token, and not written yet.
    let used = session.tokens.used || view.received_generation() >= session.tokens.generation;
    let tokens = RefreshTokens { used, ..session.tokens };
    let policy = RotationPolicy::from(&app.settings.sessions);
    let accepted = |current_generation, is_due| {
        TokenVerdict::Accepted(PresentedSession { view, current_generation, issued_at: tokens.issued_at, is_due })
    };
    match rotation::evaluate(&tokens, generation, &policy, now) {
        TokenState::Current { due } => accepted(Some(tokens.generation), due),
        TokenState::InGrace | TokenState::AnswerLost => accepted(None, false),
        TokenState::Reused => TokenVerdict::Replaced,
        TokenState::Expired | TokenState::Newer => TokenVerdict::Refused,
    }
}
