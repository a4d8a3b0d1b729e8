//! Rate limits of the pages; an exceeded limit is a 429 page that says when to retry (docs/reference/limits.md 14).

use super::page_context::PageContext;
use crate::domain::login::password::{self, NamedAccount};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::metrics::{LoginMethod, LoginResult};
use crate::model::ids::UserId;
use crate::rate_limit::{AttemptPlace, ChangeKind, RateLimit};

impl PageContext {
    /// Consumes one request from a rate limit, or returns the 429 page.
    pub async fn check_rate_limit(&self, limit: RateLimit<'_>) -> Result<(), PageError> {
        Ok(self.app.rate_limiter.check(limit).await?)
    }

    /// Consumes one request from each of these rate limits, or from none and returns the 429 page.
    pub async fn check_rate_limits<const N: usize>(&self, limits: [RateLimit<'_>; N]) -> Result<(), PageError> {
        Ok(self.app.rate_limiter.check_all(limits).await?)
    }

    /// Counts a change by the logged-in user, before any of its work, or returns the 429 page.
    pub async fn check_change_limit(&self, live: &LiveSession, kind: ChangeKind) -> Result<(), PageError> {
        self.check_rate_limits([RateLimit::Change(kind, live.view.user_id), RateLimit::ChangesFrom(self.address)]).await
    }

    /// Counts a password attempt of a logged-in user before it is checked: every form that checks a password can be
    /// used to guess it.
    pub async fn begin_password_attempt(&self, live: &LiveSession) -> Result<(), PageError> {
        let (email, user) = (&*live.view.email, Some(live.view.user_id));
        Ok(self.app.rate_limiter.begin_login(email, user, self.address, AttemptPlace::Session).await?)
    }

    /// Counts a login attempt for the name that was entered; returns the account with that name, or none.
    pub async fn begin_login_attempt(&self, login: &str) -> Result<NamedAccount, PageError> {
        let begun = self.begin_login(login).await;
        if let Err(error) = &begun {
            let result = if matches!(error, PageError::Failed(_)) { LoginResult::Failed } else { LoginResult::Limited };
            self.app.metrics.auth.logins.count(LoginMethod::Password, result);
        }
        begun
    }

    async fn begin_login(&self, login: &str) -> Result<NamedAccount, PageError> {
        Ok(password::begin(&self.app, login, &self.device(), self.address).await?)
    }

    /// Refunds a successful attempt and resets the failure counters of the account.
    pub async fn password_attempt_succeeded(&self, user: UserId) {
        self.app.rate_limiter.login_succeeded(user, self.address).await;
    }
}
