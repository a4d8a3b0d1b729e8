//! Requests with live sessions of two people. Hosts beside this one can set cookies for it (RFC 6265, 8.6), so one of the
//! sessions may be a stranger's, and would get what the person does.

use super::session::PresentedTokens;
use crate::context::App;
use crate::crypto::access_token::VerifiedToken;
use crate::crypto::refresh_token::PresentedRefreshToken;
use crate::domain::session::presented::{self, TokenVerdict};
use crate::error::Error;
use crate::model::ids::UserId;

/// Whether the tokens of a request log two people in; a refresh token does where a refresh would accept it now. Read-only.
pub async fn are_logged_in(app: &App, access: &[VerifiedToken], refresh: &mut PresentedTokens) -> Result<bool, Error> {
    let mut sessions =
        access.iter().map(|token| token.session).chain(refresh.tokens.iter().map(PresentedRefreshToken::session));
    let first = sessions.next();
    if sessions.all(|session| Some(session) == first) {
        return Ok(false);
    }
    // Boxed: the future would be part of every page's, and few need it.
    let people = Box::pin(people(app, access, refresh)).await?;
    Ok(people.iter().any(|user| Some(user) != people.first()))
}

async fn people(app: &App, access: &[VerifiedToken], refresh: &mut PresentedTokens) -> Result<Vec<UserId>, Error> {
    let mut people = Vec::new();
    for token in access {
        let view = app.store.sessions().get_cached(token.session).await?;
        let is_live = view.is_some_and(|view| view.user_id == token.user && view.is_live(app.clock.now()));
        people.extend(is_live.then_some(token.user));
    }
    for token in &refresh.tokens {
        if let TokenVerdict::Accepted(presented) = presented::evaluate(app, &mut refresh.sessions, token).await? {
            people.push(presented.view.user_id);
        }
    }
    Ok(people)
}
