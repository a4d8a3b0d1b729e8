//! Who are you, asked again.

use super::Chrome;
use crate::crypto::passkey::Question;
use crate::messages::Message;
use askama::Template;

/// `/auth/account/confirm`.
#[derive(Template)]
#[template(path = "account_confirm.html")]
pub struct ConfirmPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// Where to go on; carried along.
    pub return_to: Option<&'a str>,
    /// Whose password or passkey is asked for.
    pub username: &'a str,
    /// Whether the account has a password.
    pub has_password: bool,
    /// What the browser is asked, if the account has a passkey.
    pub passkey: Option<&'a Question>,
    /// What is wrong with the password.
    pub password_error: Option<&'a Message>,
    /// What is wrong with the whole form.
    pub form_error: Option<&'a Message>,
}
