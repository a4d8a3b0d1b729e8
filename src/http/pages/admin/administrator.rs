//! Who reads a page of administrators, and what they may do there.

use crate::http::page_error::PageError;
use crate::http::pages::page_context::PageContext;
use crate::http::pages::paths::TWO_FACTOR;
use crate::http::session::LiveSession;
use crate::http::views::{Layout, NavigationItem, Problem, admin_sections};
use crate::model::ids::UserId;
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
    /// The administrator who may do what the page is for, before anything else is read: nobody is sent to the login and
    /// back, a smaller role gets the 403 page whatever the path names, and who needs a second factor sets one up first.
    pub async fn administrator(&self, operation: Operation) -> Result<Administrator, PageError> {
        let live = self.require_login(&self.target).await?;
        let principal = Principal::administrator(live.view.user_id, live.view.roles, live.id, self.device());
        if principal.require(operation).is_err() {
            self.record_refusal(live.view.user_id, operation);
            return Err(Problem::NotPermitted.into());
        }
        if self.app.settings.accounts.admin_mfa == AdminMfa::Required && !live.view.second_factor {
            return Err(self.redirect(Some(TWO_FACTOR)).into());
        }
        Ok(Administrator { csrf: self.csrf()?, live, principal })
    }
}

impl PageContext {
    /// A change that was refused for a role is audited; a page that was is not.
    pub(super) fn record_refusal(&self, user: UserId, operation: Operation) {
        if self.method == Method::POST {
            let attempts = &self.app.failed_attempts;
            attempts.record_admin_refused(user, (&self.route, operation), &self.device(), self.app.clock.now());
        }
    }
}

impl Administrator {
    /// Sends who has not logged in or confirmed within 15 minutes, or has a second factor and did not show it in this
    /// session, to confirm who they are, and back to the form. A trusted device shows none.
    pub fn require_confirmation(&self, context: &PageContext) -> Result<(), PageError> {
        // A form keeps what its address fills in.
        let path = if context.method == Method::GET { &context.target } else { context.path() };
        context.require_shown_factor(&self.live, path)?;
        if context.recently_proved(&self.live) {
            return Ok(());
        }
        Err(context.redirect_to_reauthentication(path).into())
    }

    pub fn may(&self, operation: Operation) -> bool {
        self.principal.require(operation).is_ok()
    }

    pub fn layout<'a>(&'a self, context: &'a PageContext) -> Layout<'a> {
        context.layout_for(&self.live, &self.csrf)
    }

    pub fn csrf(&self) -> &str {
        &self.csrf
    }

    /// The navigation on the page at `current`.
    pub fn sections(&self, current: &str) -> Vec<NavigationItem> {
        admin_sections(&self.principal, current)
    }
}
