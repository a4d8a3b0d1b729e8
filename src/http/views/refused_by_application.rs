//! The page that ends a redirect loop between us and an application.

use super::Chrome;
use askama::Template;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// Shown instead of another redirect to an application that has just refused a fresh access token (contract.md 7).
#[derive(Template)]
#[template(path = "refused_by_application.html")]
pub struct RefusedByApplicationPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The CSRF token of the log-out form.
    pub csrf: &'a str,
    /// Who is logged in.
    pub username: &'a str,
    /// Where Continue leads, already judged safe.
    pub continue_to: &'a str,
}

impl RefusedByApplicationPage<'_> {
    /// After the log-out the log-in page, which then leads to where the user was going.
    fn after_logout(&self) -> String {
        format!("/auth/login?return_to={}", utf8_percent_encode(self.continue_to, NON_ALPHANUMERIC))
    }
}
