//! Finds the user of a request that replaces no token: by the access cookie, else by a refresh token that a refresh would
//! accept now.

use crate::context::App;
use crate::domain::session::candidates::CandidateSessions;
use crate::domain::session::presented::{PresentedSession, TokenVerdict, evaluate};
use crate::error::Error;
use crate::http::session::{self, LiveSession};
use axum::http::HeaderMap;

pub struct Visitor {
    pub live: LiveSession,
    /// Whether the refresh token should be renewed: it is the current one, old, and a refresh would replace it.
    pub is_due: bool,
}

/// The session of a request, which counts as a use of it. `may_renew`: whether it matters that tokens are due.
pub async fn find(app: &App, headers: &HeaderMap, may_renew: bool) -> Result<Option<Visitor>, Error> {
    let live = session::from_access_token(app, headers).await?;
    if live.is_some() && !may_renew {
        return Ok(live.map(|live| Visitor { live, is_due: false }));
    }
    let found = by_refresh_token(app, headers, live.as_ref()).await?;
    if let Some((by_refresh, _)) = &found {
        by_refresh.record_use(app, app.clock.now());
    }
    let found = found.map(|(live, is_due)| (live, is_due && may_renew));
    Ok(match (live, found) {
        (Some(live), found) => Some(Visitor { is_due: found.is_some_and(|(_, is_due)| is_due), live }),
        (None, Some((live, is_due))) => Some(Visitor { live, is_due }),
        (None, None) => None,
    })
}

/// The session of a request, without a trace that anyone asked.
pub async fn look(app: &App, headers: &HeaderMap) -> Result<Option<LiveSession>, Error> {
    if let Some(live) = session::look(app, headers).await? {
        return Ok(Some(live));
    }
    Ok(by_refresh_token(app, headers, None).await?.map(|(live, _)| live))
}

/// The first session whose refresh token would be accepted; of `known` alone, if there is one.
async fn by_refresh_token(
    app: &App,
    headers: &HeaderMap,
    known: Option<&LiveSession>,
) -> Result<Option<(LiveSession, bool)>, Error> {
    let (mut tokens, _) = session::presented_refresh_tokens(app, headers);
    tokens.retain(|token| known.is_none_or(|live| live.id == token.session()));
    let mut sessions = CandidateSessions::of(&tokens);
    for token in tokens {
        match evaluate(app, &mut sessions, &token).await? {
            TokenVerdict::Accepted(presented) => {
                let PresentedSession { view, current_generation, issued_at, is_due } = presented;
                let is_old = app.store.database_time() >= issued_at + app.settings.gate.renew_after;
                let refresh_generation = current_generation.unwrap_or(0);
                let live = LiveSession { id: token.session(), view, refresh_generation, token: None };
                return Ok(Some((live, is_due && is_old)));
            }
            // Not theft: a page may be open for hours with the token of yesterday.
            TokenVerdict::Replaced => app.metrics.auth.gate_replaced_tokens.inc(),
            TokenVerdict::Refused => {}
        }
    }
    Ok(None)
}
