//! The second half of the log-in.

use super::Chrome;
use crate::messages::Message;
use askama::Template;

/// `/auth/login/second-factor`.
#[derive(Template)]
#[template(path = "second_factor.html")]
pub struct SecondFactorPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// Where to go afterwards, already judged safe.
    pub return_to: Option<&'a str>,
    /// Whose password was right.
    pub username: &'a str,
    /// What is asked for.
    pub ask: Ask,
    /// Whether the device is not to be asked again, as it was ticked.
    pub remember: bool,
    /// What is wrong with the code.
    pub code_error: Option<&'a Message>,
    /// Why the last try failed.
    pub form_error: Option<&'a Message>,
}

/// What is asked for as the second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// A code of the authenticator app.
    Code,
    /// A recovery code.
    RecoveryCode,
}

impl SecondFactorPage<'_> {
    fn asks_for_code(&self) -> bool {
        self.ask == Ask::Code
    }
}
