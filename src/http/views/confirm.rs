//! The reauthentication page (step-up).

use super::Layout;
use crate::crypto::passkey::PasskeyChallenge;
use crate::messages::Message;
use askama::Template;

/// `/auth/account/confirm`.
#[derive(Template)]
#[template(path = "account_confirm.html")]
pub struct ConfirmPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The redirect target after reauthentication.
    pub return_to: Option<&'a str>,
    /// The user who reauthenticates.
    pub username: &'a str,
    /// Whether the account has a password.
    pub has_password: bool,
    /// The WebAuthn challenge, if the account has a passkey.
    pub passkey: Option<&'a PasskeyChallenge>,
    /// An error of the password field.
    pub password_error: Option<&'a Message>,
    /// An error of the whole form.
    pub form_error: Option<&'a Message>,
}
