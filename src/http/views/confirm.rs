//! Who are you, asked again.

use super::Chrome;
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
    /// Whose password is asked for.
    pub username: &'a str,
    /// What is wrong with the password.
    pub password_error: Option<&'a Message>,
    /// What is wrong with the whole form.
    pub form_error: Option<&'a Message>,
}
