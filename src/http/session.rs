//! Who is asking: the session behind the cookies, checked at every request (contract.md 4): see `Store::session_known`.

use super::cookies;
use crate::context::App;
use crate::crypto::access_token::Verified;
use crate::crypto::refresh_token::{self, Presented};
use crate::domain::session::lifecycle;
use crate::domain::session::refresh::{self, RefreshError, Refreshed};
use crate::error::Error;
use crate::model::device::Device;
use crate::model::ids::SessionId;
use crate::store::{KnownSession, StoreError};
use axum::http::HeaderMap;
use std::cmp::Reverse;
use std::sync::Arc;

/// A session that may be used at this moment.
pub struct Live {
    /// The session's id.
    pub id: SessionId,
    /// The session and its user.
    pub view: Arc<KnownSession>,
    /// The access token that spoke for it; `None` if the session was just renewed from the refresh token.
    pub token: Option<Verified>,
}

/// The live session of the first access token that has one.
pub async fn from_access_token(app: &App, headers: &HeaderMap) -> Result<Option<Live>, StoreError> {
    let now = app.clock.now();
    for value in cookies::values(headers, app.settings.name.access_cookie()) {
        let Some(token) = app.tokens.verify(value, now) else { continue };
        let Some(view) = app.store.session_known(token.session, token.user).await? else { continue };
        if view.user_id == token.user && view.is_live(now) {
            app.last_use.note(token.session, &view, now);
            return Ok(Some(Live { id: token.session, view, token: Some(token) }));
        }
    }
    Ok(None)
}

/// The refresh tokens that the request carries, the newest first: where a browser sends a stale one beside the valid
/// one, the stale one must not end the session.
pub fn presented_refresh_tokens(app: &App, headers: &HeaderMap) -> Vec<Presented> {
    let mut tokens: Vec<Presented> = cookies::values(headers, app.settings.name.refresh_cookie())
        .take(MAX_CANDIDATES)
        .filter_map(refresh_token::parse)
        .collect();
    tokens.sort_by_key(|token| Reverse(token.generation()));
    tokens
}

/// A browser sends two or three cookies of one name; more are somebody's play, who must neither keep the database busy
/// nor, with a few cookies set from a sibling domain, hide the valid one.
const MAX_CANDIDATES: usize = 16;

/// Refreshes the session of the first refresh token that is accepted; `from` is who presents them.
pub async fn refresh(
    app: &App,
    tokens: &[Presented],
    audience: &str,
    from: &Device,
) -> Result<Refreshed, RefreshError> {
    for token in tokens {
        match refresh::refresh(app, token, audience, from).await {
            Err(RefreshError::Refused) => {}
            outcome => return outcome,
        }
    }
    Err(RefreshError::Refused)
}

/// A session renewed on the way to a page, with the tokens for the answer's cookies.
pub struct Renewed {
    /// The session.
    pub live: Live,
    /// Its new tokens.
    pub tokens: Refreshed,
}

/// The session behind the refresh cookie of a page's request; refused tokens give `None`.
///
/// Runs to its end even if the client hangs up: the replaced token is spent once the database has committed.
pub async fn renew(app: &Arc<App>, headers: &HeaderMap, from: Device) -> Result<Option<Renewed>, Error> {
    let tokens = presented_refresh_tokens(app, headers);
    if tokens.is_empty() {
        return Ok(None);
    }
    let app = app.clone();
    let renewal = tokio::spawn(async move {
        let audience = app.settings.sessions.first_audience().to_owned();
        let tokens = match refresh(&app, &tokens, &audience, &from).await {
            Ok(tokens) => tokens,
            Err(RefreshError::Failed(error)) => return Err(error),
            Err(_) => return Ok(None),
        };
        let id = tokens.subject.session_id;
        let view = app.store.session_view(id).await?.filter(|view| view.is_live(app.clock.now()));
        Ok(view.map(|view| Renewed { live: Live { id, view: Arc::new(view.into()), token: None }, tokens }))
    });
    renewal.await.map_err(|_| Error::Inconsistent("the renewal of a session panicked".to_owned()))?
}

/// The sessions that a log-in replaces or a logout ends: of the access tokens, and of authentic refresh tokens.
pub async fn presented_sessions(app: &App, headers: &HeaderMap) -> Result<Vec<SessionId>, Error> {
    let now = app.clock.now();
    let access = cookies::values(headers, app.settings.name.access_cookie()).take(MAX_CANDIDATES);
    let mut sessions: Vec<SessionId> =
        access.filter_map(|value| app.tokens.verify(value, now)).map(|token| token.session).collect();
    for token in presented_refresh_tokens(app, headers) {
        if let Some(row) = lifecycle::find_presented(app, &token).await? {
            sessions.push(row.id);
        }
    }
    sessions.sort_unstable();
    sessions.dedup();
    Ok(sessions)
}
