//! The page with a button that logs out.

use super::Shell;
use crate::messages::Key;
use askama::Template;

/// Asks for the logout: applications link to it, it answers a form without a valid CSRF token, and a browser that shows
/// sessions of two people.
#[derive(Template)]
#[template(path = "logout.html")]
pub struct LogoutPage<'a> {
    pub layout: &'a Shell<'a>,
    /// The redirect target afterwards, already validated.
    pub return_to: Option<&'a str>,
    /// The sealed sessions of two people, which all end; there is no account to go back to.
    pub of_two: Option<&'a str>,
}

impl LogoutPage<'_> {
    fn title(&self) -> Key {
        Key(if self.of_two.is_some() { "log-out-two-title" } else { "log-out-title" })
    }
}
