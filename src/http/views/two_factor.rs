//! The pages for two-factor authentication.

use super::{Icon, QrCode, Shell};
use crate::messages::Message;
use crate::model::time::Time;
use askama::Template;

/// `/auth/account/two-factor`.
#[derive(Template)]
#[template(path = "two_factor.html")]
pub struct TwoFactorPage<'a> {
    pub layout: &'a Shell<'a>,
    pub state: TwoFactorState<'a>,
    pub code_error: Option<&'a Message>,
}

pub enum TwoFactorState<'a> {
    Off,
    /// An authenticator app whose first code is not verified yet.
    Setup(TwoFactorSetup<'a>),
    On {
        since: Time,
        codes_left: usize,
        devices: usize,
    },
}

pub struct TwoFactorSetup<'a> {
    pub qr: Option<QrCode>,
    /// The `otpauth:` URI, for an app on the same device.
    pub uri: &'a str,
    /// The account's email address, under which the app lists it.
    pub email: &'a str,
    /// The key, for manual entry.
    pub key: &'a str,
    pub end_others: bool,
}

impl TwoFactorPage<'_> {
    fn has_error(&self) -> bool {
        self.layout.form_error.is_some() || self.code_error.is_some()
    }
}

/// `/auth/account/two-factor/remove`.
#[derive(Template)]
#[template(path = "two_factor_remove.html")]
pub struct RemoveTwoFactorPage<'a> {
    pub layout: &'a Shell<'a>,
    pub end_others: bool,
    /// Whether to ask for the password; without one, a passkey was asked for before.
    pub has_password: bool,
    pub password_error: Option<&'a Message>,
}
