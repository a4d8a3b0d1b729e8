//! The page for the owner of a disabled account.

use super::Chrome;
use askama::Template;

/// Answers a right password for a disabled account, with 403.
#[derive(Template)]
#[template(path = "disabled.html")]
pub struct DisabledPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// Passed on to the log-in page.
    pub return_to: Option<&'a str>,
}
