//! What visitors may do only so often; beyond it, a page says when to try again.

use super::submission::Stop;
use super::visit::Visit;
use crate::domain::login::password;
use crate::http::error::{self, Fault};
use crate::http::session::Live;
use crate::http::views::Problem;
use crate::model::ids::UserId;
use crate::rate_limit::{RateLimit, RateLimitError};
use crate::store::UserRow;

impl Visit {
    /// Takes from the bucket of what the visitor is about to do.
    pub async fn take(&self, limit: RateLimit<'_>) -> Result<(), Stop> {
        self.app.rate_limiter.check(limit).await.map_err(|refused| self.stop(refused))
    }

    /// Takes what a try at the password of whoever is logged in costs: a password asked for is a password that can be
    /// guessed.
    pub async fn begin_try(&self, live: &Live) -> Result<(), Stop> {
        let (email, user) = (live.view.email.as_str(), Some(live.view.user_id));
        self.app.rate_limiter.begin_login(email, user, self.address).await.map_err(|refused| self.stop(refused))
    }

    /// The same for the name typed at log-in; gives the account that has it, if there is one.
    pub async fn begin_log_in(&self, login: &str) -> Result<Option<UserRow>, Stop> {
        let found = password::find_by_login(&self.app, login).await.map_err(|error| Fault::new(error, self.id))?;
        let id = found.as_ref().map(|user| user.id);
        self.app.rate_limiter.begin_login(login, id, self.address).await.map_err(|refused| self.stop(refused))?;
        Ok(found)
    }

    /// Gives back what a try cost that succeeded.
    pub async fn try_succeeded(&self, user: UserId) {
        self.app.rate_limiter.login_succeeded(user, self.address).await;
    }

    fn stop(&self, refused: RateLimitError) -> Stop {
        match refused {
            RateLimitError::Exceeded(retry_after) => error::problem(Problem::TooManyRequests { retry_after }).into(),
            RateLimitError::Failed(error) => Fault::new(error, self.id).into(),
        }
    }
}
