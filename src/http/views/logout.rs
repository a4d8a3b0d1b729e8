//! The page for a log-out whose form had gone stale.

use super::Chrome;
use askama::Template;

/// Answers a log-out without the right CSRF token, with 403: the button works this time.
#[derive(Template)]
#[template(path = "logout.html")]
pub struct LogOutPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// Where to go afterwards, already judged safe.
    pub return_to: Option<&'a str>,
}
