//! Who reads a page of administrators, and what they may do there.

use crate::http::page_error::PageError;
use crate::http::pages::change_form::LoggedIn;
use crate::http::pages::page_context::PageContext;
use crate::http::pages::paths::TWO_FACTOR;
use crate::http::session::LiveSession;
use crate::http::views::{Problem, Shell, admin_sections};
use crate::messages::Message;
use crate::model::principal::{Operation, Principal};
use crate::settings::AdminMfa;
use axum::http::Method;

/// A person with a platform role that permits the operation of the page.
pub struct Administrator {
    pub live: LiveSession,
    pub principal: Principal,
    csrf: String,
}

impl PageContext {
    /// The administrator who may do what the page is for; nobody is sent to the login and back.
    pub async fn administrator(&self, operation: Operation) -> Result<Administrator, PageError> {
        let live = self.require_login(&self.target).await?;
        let principal = LoggedIn { context: self, live: &live }.require_role_for(operation)?;
        Ok(Administrator { csrf: self.csrf()?, live, principal })
    }
}

impl LoggedIn<'_> {
    /// This person with their platform roles; what these permit, each transaction checks.
    pub(super) fn administrator(self) -> Principal {
        Principal::administrator(self.user(), self.live.view.roles, self.live.id, self.device())
    }

    /// Requires a role that permits the operation, before anything else is read: a smaller one gets the 403 page whatever
    /// the path names, and who needs a second factor sets one up first.
    pub(super) fn require_role_for(self, operation: Operation) -> Result<Principal, PageError> {
        let principal = self.administrator();
        if principal.require(operation).is_err() {
            return Err(self.not_permitted(operation));
        }
        if self.app.settings.accounts.admin_mfa == AdminMfa::Required && !self.live.view.second_factor {
            return Err(self.redirect(Some(TWO_FACTOR)).into());
        }
        Ok(principal)
    }

    /// The 403 page. A change that was refused for a role is audited; a page that was is not.
    pub(super) fn not_permitted(self, operation: Operation) -> PageError {
        if self.method == Method::POST {
            let attempts = &self.app.failed_attempts;
            attempts.record_admin_refused(self.user(), (&self.route, operation), &self.device(), self.app.clock.now());
        }
        Problem::NotPermitted.into()
    }
}

impl Administrator {
    pub fn may(&self, operation: Operation) -> bool {
        self.principal.require(operation).is_ok()
    }

    /// What the page at `current` has around it; `form_error` is why its form was refused.
    pub fn shell<'a>(&'a self, context: &'a PageContext, current: &str, form_error: Option<&'a Message>) -> Shell<'a> {
        let sections = admin_sections(&self.principal, current);
        Shell { layout: context.layout_for(&self.live), csrf: self.csrf.clone(), sections, form_error }
    }
}
