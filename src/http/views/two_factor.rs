//! Two-factor log-in, as its user sees it.

use super::{Chrome, QrCode, Section};
use crate::messages::Message;
use crate::model::time::Time;
use askama::Template;

/// `/auth/account/two-factor`.
#[derive(Template)]
#[template(path = "two_factor.html")]
pub struct TwoFactorPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The forms' CSRF token.
    pub csrf: &'a str,
    /// The pages to move between.
    pub sections: &'a [Section],
    /// What there is.
    pub state: TwoFactorState<'a>,
    /// What is wrong with the code.
    pub code_error: Option<&'a Message>,
    /// Why nothing was changed.
    pub form_error: Option<&'a Message>,
}

/// What a user has of two-factor log-in.
pub enum TwoFactorState<'a> {
    /// Nothing.
    Off,
    /// An app that has not shown its first code.
    Setup(Setup<'a>),
    /// All of it.
    On {
        /// Since when.
        since: Time,
        /// Recovery codes that are left.
        codes_left: usize,
        /// Devices that are not asked.
        devices: usize,
    },
}

/// What an authenticator app is given.
pub struct Setup<'a> {
    /// The address as a QR code.
    pub qr: Option<QrCode>,
    /// The address, for an app on the same device.
    pub uri: &'a str,
    /// The key to type.
    pub key: &'a str,
    /// Whether the user wants all other sessions ended.
    pub end_others: bool,
}

impl TwoFactorPage<'_> {
    fn has_error(&self) -> bool {
        self.form_error.is_some() || self.code_error.is_some()
    }
}

/// `/auth/account/two-factor/remove`.
#[derive(Template)]
#[template(path = "two_factor_remove.html")]
pub struct RemoveTwoFactorPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The pages to move between.
    pub sections: &'a [Section],
    /// Whether the user wants all other sessions ended.
    pub end_others: bool,
    /// Whether the password is asked for; without one, a passkey was before.
    pub has_password: bool,
    /// What is wrong with the password.
    pub password_error: Option<&'a Message>,
    /// Why nothing was changed.
    pub form_error: Option<&'a Message>,
}
