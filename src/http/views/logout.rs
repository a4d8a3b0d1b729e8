//! The page with a button that logs out.

use super::Layout;
use crate::messages::Message;
use askama::Template;

/// Asks for the logout: applications link to it, it answers a form without a valid CSRF token, and a browser that shows
/// sessions of two people.
#[derive(Template)]
#[template(path = "logout.html")]
pub struct LogoutPage<'a> {
    pub layout: Layout<'a>,
    /// Why the form that was sent was refused.
    pub form_error: Option<&'a Message>,
    pub csrf: &'a str,
    /// The redirect target afterwards, already validated.
    pub return_to: Option<&'a str>,
    /// Those that are ended besides the form's own, sealed.
    pub sessions: Option<&'a str>,
    /// Whether the way back into the account is offered.
    pub may_stay: bool,
}
