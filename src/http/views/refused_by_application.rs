//! The page that breaks a redirect loop between the service and an application.

use super::Shell;
use askama::Template;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// Shown instead of another redirect to an application that has just refused a fresh access token
/// (docs/reference/browser.md 8.1).
#[derive(Template)]
#[template(path = "refused_by_application.html")]
pub struct RefusedByApplicationPage<'a> {
    pub layout: &'a Shell<'a>,
    pub called: &'a str,
    /// Whether the application seems to have sent the user back, which the page then says.
    pub sent_back: bool,
    /// The target of Continue, already validated.
    pub continue_to: &'a str,
}

impl RefusedByApplicationPage<'_> {
    /// The redirect target after logout: the login page, with the original target.
    fn after_logout(&self) -> String {
        format!("/auth/login?return_to={}", utf8_percent_encode(self.continue_to, NON_ALPHANUMERIC))
    }
}
