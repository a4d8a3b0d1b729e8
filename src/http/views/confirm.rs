//! The reauthentication page (step-up).

use super::{Icon, Shell};
use crate::crypto::passkey::PasskeyChallenge;
use crate::messages::{Key, Message};
use askama::Template;

/// `/auth/account/confirm`.
#[derive(Template)]
#[template(path = "account_confirm.html")]
pub struct ConfirmPage<'a> {
    pub layout: &'a Shell<'a>,
    pub return_to: Option<&'a str>,
    pub username: &'a str,
    /// What the application asks for, as the query of the forms.
    pub query: &'a str,
    /// Whether only a second factor is good enough.
    pub asks_for_factor: bool,
    /// Whether the account has an authenticator app.
    pub has_app: bool,
    pub has_password: bool,
    /// The WebAuthn challenge, if the account has a passkey.
    pub passkey: Option<&'a PasskeyChallenge>,
    /// The code that may be mailed, if the account has neither password nor passkey.
    pub mailed_code: Option<MailedCodeField<'a>>,
    pub code_error: Option<&'a Message>,
    pub recovery_code_error: Option<&'a Message>,
    pub password_error: Option<&'a Message>,
}

/// A code that is mailed in place of a password.
#[derive(Clone, Copy, Debug)]
pub struct MailedCodeField<'a> {
    pub email: &'a str,
    /// Whether a code was mailed that works.
    pub is_sent: bool,
    /// Seconds until another may be mailed.
    pub resend_after: u64,
    pub error: Option<&'a Message>,
}

impl ConfirmPage<'_> {
    fn asks_for_password(&self) -> bool {
        self.has_password && !self.asks_for_factor
    }

    fn asks_for_code(&self) -> bool {
        self.has_app && self.asks_for_factor
    }

    fn mailed_code(&self) -> Option<MailedCodeField<'_>> {
        self.mailed_code.filter(|_| !self.asks_for_factor)
    }

    fn title(&self) -> Key {
        Key(if self.has_nothing() { "confirm-nothing-title" } else { "confirm-title" })
    }

    /// Not even an address for a code.
    fn has_nothing(&self) -> bool {
        !self.asks_for_factor && !self.has_password && self.passkey.is_none() && self.mailed_code.is_none()
    }

    /// Nothing of the account is good enough.
    fn lacks_factor(&self) -> bool {
        self.asks_for_factor && !self.has_app && self.passkey.is_none()
    }

    fn has_error(&self) -> bool {
        let mailed = self.mailed_code.and_then(|code| code.error);
        let fields = [self.password_error, self.code_error, self.recovery_code_error, mailed];
        self.layout.form_error.is_some() || fields.iter().any(Option::is_some)
    }
}
