//! The page for a logout with a stale CSRF token.

use super::Layout;
use askama::Template;

/// Answers a logout without a valid CSRF token, with 403; its button has a valid one.
#[derive(Template)]
#[template(path = "logout.html")]
pub struct LogoutPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The redirect target afterwards, already validated.
    pub return_to: Option<&'a str>,
}
