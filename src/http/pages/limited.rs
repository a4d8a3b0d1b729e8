//! What visitors may do only so often; beyond it, a page says when to try again.

use super::submission::Stop;
use super::visit::Visit;
use crate::domain::accounts;
use crate::domain::ids::UserId;
use crate::http::error::{self, Fault};
use crate::http::session::Live;
use crate::http::views::Problem;
use crate::limits::{self, Limited, Refused, log_in};

impl Visit {
    /// Takes from the bucket of what the visitor is about to do.
    pub async fn take(&self, limit: Limited<'_>) -> Result<(), Stop> {
        limits::take(&self.app, limit).await.map_err(|refused| self.stop(refused))
    }

    /// Takes what a try at the password of whoever is logged in costs: a password asked for is a password that can be
    /// guessed.
    pub async fn begin_try(&self, live: &Live) -> Result<(), Stop> {
        let account = (live.view.email.as_str(), Some(live.view.user_id));
        log_in::begin(&self.app, account, self.address).await.map_err(|refused| self.stop(refused))
    }

    /// The same for the name typed at log-in, whether or not there is such an account.
    pub async fn begin_log_in(&self, login: &str) -> Result<(), Stop> {
        let found = accounts::find_id(&self.app, login).await.map_err(|error| Fault::new(error, self.id))?;
        log_in::begin(&self.app, (login, found), self.address).await.map_err(|refused| self.stop(refused))
    }

    /// Gives back what a try cost that succeeded.
    pub async fn try_succeeded(&self, user: UserId) {
        log_in::succeeded(&self.app, user, self.address).await;
    }

    fn stop(&self, refused: Refused) -> Stop {
        match refused {
            Refused::Wait(retry_after) => error::problem(Problem::TooManyRequests { retry_after }).into(),
            Refused::Failed(error) => Fault::new(error, self.id).into(),
        }
    }
}
