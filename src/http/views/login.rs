//! The log-in page.

use super::Chrome;
use crate::crypto::passkey::Question;
use crate::messages::{Key, Message};
use askama::Template;

/// `/auth/login`.
#[derive(Template)]
#[template(path = "login.html")]
pub struct LogInPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// Where to go afterwards, already judged safe.
    pub return_to: Option<&'a str>,
    /// What was typed as e-mail or username.
    pub login: &'a str,
    /// Why the last try failed.
    pub form_error: Option<&'a Message>,
    /// What has just happened.
    pub notice: Option<Key>,
    /// Whether nobody is let in before the proof of their address.
    pub must_prove: bool,
    /// What a passkey is asked, where there can be one.
    pub passkey: Option<&'a Question>,
    /// Whether to offer an account to newcomers.
    pub sign_up_open: bool,
}

impl LogInPage<'_> {
    /// The one message for an unknown account and for a wrong password (OWASP ASVS 5.0, 6.3.8).
    pub const WRONG_CREDENTIALS: Message = Message::new("log-in-wrong");
}
