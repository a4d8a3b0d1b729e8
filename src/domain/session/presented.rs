//! Evaluates a refresh token without a refresh: replaces nothing, triggers no reuse detection (docs/protocol.md 17).

use super::rotation::{self, RotationPolicy, TokenState};
use crate::context::App;
use crate::crypto::refresh_token::PresentedRefreshToken;
use crate::error::Error;
use crate::model::session_view::KnownSession;
use crate::model::time::Time;
use crate::store::{RecentSession, RefreshTokens};
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
pub enum TokenVerdict {
    /// It would be accepted.
    Accepted(PresentedSession),
    /// It was replaced before, and is no longer accepted.
    Replaced,
    /// It is not valid.
    Refused,
}

/// Evaluates a token by the cached data of its session, which is less than a second old.
pub async fn evaluate(app: &App, presented: &PresentedRefreshToken) -> Result<TokenVerdict, Error> {
    let sessions = app.store.sessions();
    if let Some(session) = sessions.recent(presented.session()) {
        let verdict = evaluate_with(app, presented, &session).await?;
        // A refusal may be out of date: the token may have been issued a moment ago.
        if matches!(verdict, TokenVerdict::Accepted(_)) {
            return Ok(verdict);
        }
    }
    match sessions.read_recent(presented.session()).await? {
        Some(session) => evaluate_with(app, presented, &session).await,
        None => Ok(TokenVerdict::Refused),
    }
}

async fn evaluate_with(
    app: &App,
    presented: &PresentedRefreshToken,
    session: &RecentSession,
) -> Result<TokenVerdict, Error> {
    if !presented.verify(&app.secret_keys, &session.nonce) {
        return Ok(TokenVerdict::Refused);
    }
    let now = app.store.database_time();
    let view = app.store.sessions().get_cached(presented.session(), session.user_id).await?;
    let is_usable =
        |view: &KnownSession| view.user_id == session.user_id && view.organization_role.is_some() && view.is_live(now);
    let Some(view) = view.filter(|view| is_usable(view)) else {
        return Ok(TokenVerdict::Refused);
    };
    // What this process has seen of the current token, and not written yet.
    let used = session.tokens.used || view.received_generation() >= session.tokens.generation;
    let tokens = RefreshTokens { used, ..session.tokens };
    let policy = RotationPolicy::from(&app.settings.sessions);
    let accepted = |current_generation, is_due| {
        TokenVerdict::Accepted(PresentedSession { view, current_generation, issued_at: tokens.issued_at, is_due })
    };
    Ok(match rotation::evaluate(&tokens, presented.generation(), &policy, now) {
        TokenState::Current { due } => accepted(Some(tokens.generation), due),
        TokenState::InGrace | TokenState::AnswerLost => accepted(None, false),
        TokenState::Reused => TokenVerdict::Replaced,
        TokenState::Expired | TokenState::Newer => TokenVerdict::Refused,
    })
}
