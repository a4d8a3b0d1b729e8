//! Requests with live sessions of two people. Hosts beside this one can set cookies for it (RFC 6265, 8.6), so one of the
//! sessions may be a stranger's, and would get what the person does.

use super::cookies;
use super::session::PresentedTokens;
use crate::context::App;
use crate::crypto::refresh_token::PresentedRefreshToken;
use crate::crypto::seal::SealContext;
use crate::domain::session::presented::{self, TokenVerdict};
use crate::error::Error;
use crate::model::ids::{SessionId, UserId};
use crate::model::time::Time;
use axum::http::HeaderMap;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::time::Duration;
use uuid::Uuid;

/// The live sessions of a request whose tokens log two people in, or are more than are looked at: one that was left out
/// may be another person's. `None` of one person's. A refresh token counts where a refresh would accept it now. Read-only.
pub async fn sessions(app: &App, presented: &mut PresentedTokens) -> Result<Option<Vec<SessionId>>, Error> {
    let access = presented.access.iter().map(|token| token.session);
    let mut claimed = access.chain(presented.refresh.iter().map(PresentedRefreshToken::session));
    let first = claimed.next();
    if !presented.leaves_some_out && claimed.all(|session| Some(session) == first) {
        return Ok(None);
    }
    // Boxed: the future would be part of every page's, and few need it.
    let (sessions, people): (Vec<_>, Vec<_>) = Box::pin(live(app, presented)).await?.into_iter().unzip();
    let is_of_two = people.iter().any(|user| Some(user) != people.first());
    Ok((is_of_two || presented.leaves_some_out).then_some(sessions))
}

async fn live(app: &App, presented: &mut PresentedTokens) -> Result<Vec<(SessionId, UserId)>, Error> {
    let mut live = Vec::new();
    for token in &presented.access {
        let view = app.store.sessions().get_cached(token.session).await?;
        let is_live = view.is_some_and(|view| view.user_id == token.user && view.is_live(app.clock.now()));
        live.extend(is_live.then_some((token.session, token.user)));
    }
    for token in &presented.refresh {
        if let TokenVerdict::Accepted(found) = presented::evaluate(app, &mut presented.sessions, token).await? {
            live.push((token.session(), found.view.user_id));
        }
    }
    Ok(live)
}

/// For the time that a person looks at the page.
const TTL: Duration = Duration::from_mins(15);

/// The sessions that a page has seen, for its form: a cookie of that page's path alone is not sent to where the form goes.
/// Sealed for the browser with this CSRF token. Empty if it cannot be sealed: the form then ends those that it shows.
pub fn seal(app: &App, csrf: &str, sessions: &[SessionId]) -> String {
    let expires_at = (app.clock.now() + TTL).as_micros().to_be_bytes();
    let mut plain = expires_at.to_vec();
    plain.extend(sessions.iter().flat_map(|session| *session.0.as_bytes()));
    let sealed = app.secret_keys.seal(&context(csrf), &plain);
    sealed.map(|sealed| URL_SAFE_NO_PAD.encode(sealed)).unwrap_or_default()
}

/// The sessions of a form that this browser was shown; none of another one's.
pub fn open(app: &App, headers: &HeaderMap, field: &str) -> Vec<SessionId> {
    let Ok(sealed) = URL_SAFE_NO_PAD.decode(field) else { return Vec::new() };
    let mut csrf = cookies::values(headers, app.settings.name.csrf_cookie());
    let plain = csrf.find_map(|csrf| app.secret_keys.open(&context(csrf), &sealed).ok());
    let Some((expires_at, sessions)) = plain.as_ref().and_then(|plain| plain.split_first_chunk()) else {
        return Vec::new();
    };
    if Time::from_micros(i64::from_be_bytes(*expires_at)) <= app.clock.now() {
        return Vec::new();
    }
    sessions.as_chunks::<16>().0.iter().map(|id| SessionId(Uuid::from_bytes(*id))).collect()
}

fn context(csrf: &str) -> SealContext<'_> {
    SealContext { table: "form", row: csrf.as_bytes(), column: "sessions" }
}
