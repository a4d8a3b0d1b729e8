//! The pages for two-factor authentication.

use super::{Icon, Layout, NavigationItem, QrCode};
use crate::messages::Message;
use crate::model::time::Time;
use askama::Template;

/// `/auth/account/two-factor`.
#[derive(Template)]
#[template(path = "two_factor.html")]
pub struct TwoFactorPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The forms' CSRF token.
    pub csrf: &'a str,
    /// The account navigation.
    pub sections: &'a [NavigationItem],
    /// The current state.
    pub state: TwoFactorState<'a>,
    /// An error of the code field.
    pub code_error: Option<&'a Message>,
    /// An error of the whole form; nothing was changed.
    pub form_error: Option<&'a Message>,
}

/// The state of two-factor authentication.
pub enum TwoFactorState<'a> {
    /// Not set up.
    Off,
    /// An authenticator app whose first code is not verified yet.
    Setup(TwoFactorSetup<'a>),
    /// Set up.
    On {
        /// When it was turned on.
        since: Time,
        /// The number of unused recovery codes.
        codes_left: usize,
        /// The number of trusted devices.
        devices: usize,
    },
}

/// The enrolment of an authenticator app.
pub struct TwoFactorSetup<'a> {
    /// The URI as a QR code.
    pub qr: Option<QrCode>,
    /// The `otpauth:` URI, for an app on the same device.
    pub uri: &'a str,
    /// The account's email address, under which the app lists it.
    pub email: &'a str,
    /// The key, for manual entry.
    pub key: &'a str,
    /// Whether to end all other sessions.
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
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The account navigation.
    pub sections: &'a [NavigationItem],
    /// Whether to end all other sessions.
    pub end_others: bool,
    /// Whether to ask for the password; without one, a passkey was asked for before.
    pub has_password: bool,
    /// An error of the password field.
    pub password_error: Option<&'a Message>,
    /// An error of the whole form; nothing was changed.
    pub form_error: Option<&'a Message>,
}
