//! The page for the owner of a disabled account.

use super::Layout;
use askama::Template;

/// Answers the correct password of a disabled account, with 403.
#[derive(Template)]
#[template(path = "disabled.html")]
pub struct DisabledPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// Passed on to the login page.
    pub return_to: Option<&'a str>,
}
