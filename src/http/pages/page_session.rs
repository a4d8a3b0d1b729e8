//! The session of a page request.

use super::logout;
use super::page_context::PageContext;
use crate::http::page_error::PageError;
use crate::http::session::{self, LiveSession, PresentedTokens};
use crate::http::two_people;

impl PageContext {
    /// Returns the session behind the cookies, or `None`. Without a valid access token, refreshes the session. Cookies of
    /// two people are refused.
    pub async fn session(&self) -> Result<Option<LiveSession>, PageError> {
        let session = self.find_session().await?;
        if let Some(live) = &session {
            self.notes.set_viewer(live.view.label().called());
        }
        Ok(session)
    }

    async fn find_session(&self) -> Result<Option<LiveSession>, PageError> {
        let mut tokens = PresentedTokens::of(&self.app, &self.headers);
        self.require_one_person(&mut tokens).await?;
        if let Some(live) =
            session::from_access_tokens(&self.app, std::mem::take(&mut tokens.access), self.app.clock.now()).await?
        {
            return Ok(Some(live));
        }
        let renewal = session::renew(&self.app, tokens, self.device()).await?;
        Ok(renewal.map(|renewed| {
            self.set_refreshed_cookies(&renewed.tokens);
            renewed.live
        }))
    }

    async fn require_one_person(&self, tokens: &mut PresentedTokens) -> Result<(), PageError> {
        match two_people::sessions(&self.app, tokens).await? {
            Some(sessions) => Err(logout::of_two_people(self, &sessions)?.into()),
            None => Ok(()),
        }
    }

    /// Replaces the session's tokens, even where the access token is valid; `false` if the refresh token is refused.
    pub async fn renew_session(&self) -> Result<bool, PageError> {
        let mut tokens = PresentedTokens::to_refresh(&self.app, &self.headers);
        self.require_one_person(&mut tokens).await?;
        let renewal = session::renew(&self.app, tokens, self.device()).await?;
        if let Some(renewed) = &renewal {
            self.set_refreshed_cookies(&renewed.tokens);
        }
        Ok(renewal.is_some())
    }
}
