//! Requires that the person proved recently who they are, before what protects the account changes (OWASP ASVS 5.0,
//! 7.5.1); else leads to where they do, and back.

use super::page_context::PageContext;
use super::paths;
use crate::domain::account::reauthentication::has_own_means;
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::model::placeholder_email::is_placeholder;
use crate::model::principal::Operation;
use axum::response::Response;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

impl PageContext {
    /// Requires that the user proved recently who they are; otherwise redirects to prove it, and back to `path`.
    pub fn require_recent_proof(&self, live: &LiveSession, path: &str) -> Result<(), PageError> {
        self.require_shown_factor(live, path)?;
        if self.recently_proved(live) {
            return Ok(());
        }
        Err(self.redirect_to_reauthentication(path).into())
    }

    /// Of who has a platform role and a second factor, requires that this session showed it: who only knows the password
    /// must not give the account another factor, and with it what its role permits.
    pub fn require_shown_factor(&self, live: &LiveSession, path: &str) -> Result<(), PageError> {
        if live.view.roles.is_empty() || !live.view.lacks_factor() {
            return Ok(());
        }
        Err(self.redirect_to_factor(path).into())
    }

    /// Of an account without a password, which a form cannot ask for, requires what
    /// [`require_recent_proof`](Self::require_recent_proof) does.
    pub async fn require_password_or_proof(&self, live: &LiveSession, path: &str) -> Result<(), PageError> {
        if self.recently_proved(live) || self.has_password(live).await? {
            return Ok(());
        }
        Err(self.redirect_to_reauthentication(path).into())
    }

    pub async fn has_password(&self, live: &LiveSession) -> Result<bool, PageError> {
        let mut conn =
            self.app.store.read_own(&self.principal(live), Operation::ReadOwnAccount, live.view.user_id).await?;
        let user = conn.user_find(live.view.user_id).await?;
        Ok(user.is_some_and(|user| user.password_hash.is_some()))
    }

    /// Requires what every change of the address does, but of who has nothing to prove themselves with, not even an address
    /// for a code, a login of the last 15 minutes: they could never add one. An operator adds that of an administrator.
    pub async fn require_proof_or_new_login(&self, live: &LiveSession, path: &str) -> Result<(), PageError> {
        if is_placeholder(&live.view.email)
            && live.view.roles.is_empty()
            && live.view.is_recently_opened(self.app.clock.now())
            && !has_own_means(&self.app, &self.principal(live), live.view.user_id).await?
        {
            return Ok(());
        }
        self.require_recent_proof(live, path)
    }

    fn redirect_to_reauthentication(&self, path: &str) -> Response {
        self.redirect(Some(&reauthentication(path)))
    }

    /// Leads to where the second factor is asked for, and back.
    pub(super) fn redirect_to_factor(&self, path: &str) -> Response {
        self.redirect(Some(&format!("{}&mfa=1", reauthentication(path))))
    }
}

fn reauthentication(path: &str) -> String {
    format!("{}?return_to={}", paths::CONFIRM, utf8_percent_encode(path, NON_ALPHANUMERIC))
}
