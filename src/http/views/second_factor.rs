//! The second factor of a pending login.

use super::Shell;
use crate::messages::Message;
use askama::Template;

/// `/auth/login/second-factor`.
#[derive(Template)]
#[template(path = "second_factor.html")]
pub struct SecondFactorPage<'a> {
    pub layout: &'a Shell<'a>,
    /// The redirect target afterwards, already validated.
    pub return_to: Option<&'a str>,
    /// The user whose password was verified: their email address, or the username if there is none.
    pub account: &'a str,
    /// The kind of code to ask for.
    pub prompt: CodePrompt,
    /// Whether "trust this device" is ticked.
    pub remember: bool,
    pub code_error: Option<&'a Message>,
}

/// The kind of code to ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodePrompt {
    Totp,
    RecoveryCode,
}

impl SecondFactorPage<'_> {
    fn asks_for_totp(&self) -> bool {
        self.prompt == CodePrompt::Totp
    }
}
