//! Requests with live sessions of two people. Hosts beside this one can set cookies for it (RFC 6265, 8.6), so one of the
//! sessions may be a stranger's, and would get what the person does.

use super::session::PresentedTokens;
use crate::context::App;
use crate::crypto::refresh_token::PresentedRefreshToken;
use crate::domain::session::presented::{self, TokenVerdict};
use crate::error::Error;
use crate::model::ids::{SessionId, UserId};

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
