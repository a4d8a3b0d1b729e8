//! The session behind a request's cookies, checked at every request (docs/reference/browser.md 8.3):
//! see `SessionStore::get_cached`.

use super::cookies;
use crate::context::App;
use crate::crypto::access_token::VerifiedToken;
use crate::crypto::refresh_token::{self, PresentedRefreshToken};
use crate::domain::session::candidates::CandidateSessions;
use crate::domain::session::lifecycle::{self, CookieToken, Subject};
use crate::domain::session::presented;
use crate::domain::session::refresh::{self, RefreshError, Refreshed};
use crate::error::Error;
use crate::metrics::RefreshVerdict;
use crate::model::device::Device;
use crate::model::ids::SessionId;
use crate::model::roles::Roles;
use crate::model::session_view::KnownSession;
use crate::model::time::Time;
use axum::http::HeaderMap;
use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

/// A live session (docs/reference/browser.md 8.3).
pub struct LiveSession {
    pub id: SessionId,
    pub view: Arc<KnownSession>,
    /// The generation of the refresh token that the browser has received, or receives with the response; zero if it is
    /// not known.
    pub refresh_generation: i64,
    /// The access token presented; `None` if the session was just renewed from the refresh token.
    pub token: Option<VerifiedToken>,
}

impl LiveSession {
    /// The audience of the presented access token, or the first one if a user with these roles may not have it, or the
    /// session was just renewed.
    pub fn audience<'a>(&self, app: &'a App, roles: Roles) -> &'a str {
        let settings = &app.settings.sessions;
        let current = self.token.as_ref().and_then(|token| settings.audiences.get(token.audience));
        let permitted = current.filter(|audience| settings.permits_audience(audience, roles));
        permitted.map_or_else(|| settings.default_audience(), String::as_str)
    }

    /// Records that the session was used now, and that its client has the refresh token of this generation.
    pub fn record_use(&self, app: &App, now: Time) {
        app.last_use.record(self.id, &self.view, self.refresh_generation, now);
    }

    /// An access token with the session's current claims, for the audience of the presented one if permitted.
    pub fn reissue_access_token(&self, app: &App, subject: &Subject) -> Result<CookieToken, Error> {
        // The session's current refresh token may be one whose answer was lost.
        let subject = Subject { refresh_generation: self.refresh_generation, ..*subject };
        lifecycle::access_token(app, &subject, self.audience(app, subject.roles), app.clock.now())
    }
}

/// The live session of the first access token that has one. The request counts as a use of it.
pub async fn from_access_token(app: &App, headers: &HeaderMap) -> Result<Option<LiveSession>, Error> {
    let now = app.clock.now();
    from_access_tokens(app, access_tokens(app, headers, now), now).await
}

/// The same, of tokens that are verified.
pub async fn from_access_tokens(
    app: &App,
    tokens: impl IntoIterator<Item = VerifiedToken>,
    now: Time,
) -> Result<Option<LiveSession>, Error> {
    let live = first_live(app, tokens, now).await?;
    if let Some(live) = &live {
        live.record_use(app, now);
    }
    Ok(live)
}

/// As [`from_access_token`], without a trace that anyone asked.
pub async fn look(app: &App, headers: &HeaderMap) -> Result<Option<LiveSession>, Error> {
    let now = app.clock.now();
    first_live(app, access_tokens(app, headers, now), now).await
}

/// Asks for each session once.
async fn first_live(
    app: &App,
    tokens: impl IntoIterator<Item = VerifiedToken>,
    now: Time,
) -> Result<Option<LiveSession>, Error> {
    // Allocates only if a session is not live.
    let mut ended = Vec::new();
    for token in tokens {
        if ended.contains(&token.session) {
            continue;
        }
        if let Some(view) = app.store.sessions().get_cached(token.session).await?
            && view.user_id == token.user
            && view.is_live(now)
        {
            let refresh_generation = token.refresh_generation;
            return Ok(Some(LiveSession { id: token.session, view, refresh_generation, token: Some(token) }));
        }
        ended.push(token.session);
    }
    Ok(None)
}

/// Whether the request has an access token of this service, whatever became of its session meanwhile.
pub fn shows_access_token(app: &App, headers: &HeaderMap) -> bool {
    access_tokens(app, headers, app.clock.now()).next().is_some()
}

pub fn access_tokens<'a>(
    app: &'a App,
    headers: &'a HeaderMap,
    now: Time,
) -> impl Iterator<Item = VerifiedToken> + use<'a> {
    app.tokens.verify_some(cookies::values(headers, app.settings.name.access_cookie()), now)
}

/// The refresh tokens of the request, newest generation first: a browser may send a stale one with the valid one, and
/// the stale one must not end the session. And whether there are more than are looked at.
pub fn presented_refresh_tokens(app: &App, headers: &HeaderMap) -> (Vec<PresentedRefreshToken>, bool) {
    let values = cookies::values(headers, app.settings.name.refresh_cookie());
    let (mut tokens, mut leaves_some_out) = (Vec::new(), false);
    // One under no key of ours verifies with no session.
    for token in values.filter_map(refresh_token::parse).filter(|token| token.has_key_of(&app.secret_keys)) {
        if tokens.contains(&token) {
            continue;
        }
        leaves_some_out = tokens.len() == MAX_CANDIDATES;
        if leaves_some_out {
            break;
        }
        tokens.push(token);
    }
    tokens.sort_by_key(|token| Reverse(token.generation()));
    (tokens, leaves_some_out)
}

/// A browser sends two or three refresh tokens. The limit keeps an attacker from loading the database, which looks up the
/// sessions of all of them in one statement ([`CandidateSessions`]); it is high enough that a few tokens set from a
/// sibling domain do not hide the valid one.
const MAX_CANDIDATES: usize = 16;

/// The tokens of a request by which it may act, and the sessions of its refresh tokens, which are read once.
pub struct PresentedTokens {
    pub access: Vec<VerifiedToken>,
    pub refresh: Vec<PresentedRefreshToken>,
    pub sessions: CandidateSessions,
    /// Whether there are more than are looked at.
    pub leaves_some_out: bool,
}

impl PresentedTokens {
    pub fn of(app: &App, headers: &HeaderMap) -> Self {
        let now = app.clock.now();
        let to_refresh = Self::to_refresh(app, headers);
        let values = cookies::values(headers, app.settings.name.access_cookie());
        let leaves_some_out = to_refresh.leaves_some_out || app.tokens.leaves_some_out(values, now);
        Self { access: access_tokens(app, headers, now).collect(), leaves_some_out, ..to_refresh }
    }

    /// Without the access tokens, which a refresh does not ask for.
    pub fn to_refresh(app: &App, headers: &HeaderMap) -> Self {
        let (refresh, leaves_some_out) = presented_refresh_tokens(app, headers);
        Self { access: Vec::new(), sessions: CandidateSessions::of(&refresh), refresh, leaves_some_out }
    }
}

/// Refreshes the session of the first refresh token that is accepted.
pub async fn refresh(
    app: &App,
    presented: &mut PresentedTokens,
    audience: &str,
    device: &Device,
) -> Result<Refreshed, RefreshError> {
    for token in &presented.refresh {
        match refresh::refresh(app, &mut presented.sessions, token, audience, device).await {
            Err(RefreshError::Refused(_)) => {}
            outcome => return outcome,
        }
    }
    Err(RefreshError::Refused(RefreshVerdict::Refused))
}

/// A session that a page renewed, with the tokens for the response's cookies.
pub struct RenewedSession {
    pub live: LiveSession,
    pub tokens: Refreshed,
}

/// Renews the session of a page's request from its refresh cookie; `None` if the tokens are refused.
///
/// Completes even if the client disconnects: the replaced token is consumed once the database has committed.
pub async fn renew(
    app: &Arc<App>,
    mut presented: PresentedTokens,
    device: Device,
) -> Result<Option<RenewedSession>, Error> {
    if presented.refresh.is_empty() {
        return Ok(None);
    }
    let app = app.clone();
    let renewal = tokio::spawn(async move {
        let audience = app.settings.sessions.default_audience().to_owned();
        let tokens = match refresh(&app, &mut presented, &audience, &device).await {
            Ok(tokens) => tokens,
            Err(RefreshError::Failed(error)) => return Err(error),
            Err(_) => return Ok(None),
        };
        let Subject { session_id: id, refresh_generation, .. } = tokens.subject;
        let view = app.store.sessions().get_cached(id).await?.filter(|view| view.is_live(app.clock.now()));
        Ok(view.map(|view| {
            let live = LiveSession { id, view, refresh_generation, token: None };
            RenewedSession { live, tokens }
        }))
    });
    renewal.await.map_err(|_| Error::Inconsistent("the renewal of a session panicked".to_owned()))?
}

/// How the logged-in user is called, for pages that only say so: read-only, and `None` if the database does not
/// answer at once.
pub async fn viewer(app: &App, headers: &HeaderMap) -> Option<String> {
    tokio::time::timeout(VIEWER_TIMEOUT, find_viewer(app, headers)).await.ok()?.ok()?
}

const VIEWER_TIMEOUT: Duration = Duration::from_secs(1);

async fn find_viewer(app: &App, headers: &HeaderMap) -> Result<Option<String>, Error> {
    if let Some(live) = from_access_token(app, headers).await? {
        return Ok(Some(live.view.label().called().to_owned()));
    }
    // From memory alone: an error page is cheap, and anyone may ask for many.
    for token in presented_refresh_tokens(app, headers).0 {
        if let Some(view) = presented::view_in_memory(app, &token).await {
            return Ok(Some(view.label().called().to_owned()));
        }
    }
    Ok(None)
}

/// The sessions that a login replaces or a logout ends: those of valid access tokens and authentic refresh tokens. The
/// newest refresh token of a session is evaluated as in a refresh.
pub async fn presented_sessions(app: &App, headers: &HeaderMap, device: &Device) -> Result<Vec<SessionId>, Error> {
    let ((tokens, _), mut sessions) = (presented_refresh_tokens(app, headers), Vec::new());
    let mut candidates = CandidateSessions::of(&tokens);
    for token in tokens {
        if !sessions.contains(&token.session()) {
            sessions.extend(refresh::session_to_end(app, &mut candidates, &token, device).await?);
        }
    }
    sessions.extend(access_tokens(app, headers, app.clock.now()).map(|token| token.session));
    sessions.sort_unstable();
    sessions.dedup();
    Ok(sessions)
}
