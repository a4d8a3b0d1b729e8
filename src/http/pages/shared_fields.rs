//! Fields that several forms have.

use crate::domain::mfa::passkey::add::PasskeyResponse;
use crate::http::form::FormFields;
use serde::Deserialize;

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct AddressFields {
    pub(super) email: String,
}

impl FormFields for AddressFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["email"];
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct NameFields {
    pub(super) name: String,
}

impl FormFields for NameFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["name"];
}

/// A code of an email or of an authenticator app.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct CodeFields {
    pub(super) code: String,
    pub(super) end_others: Option<String>,
}

impl FormFields for CodeFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["end_others"];
}

/// A browser's answer about a passkey, with the name of a new one. The script fills it in.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct PasskeyFields {
    pub(super) name: String,
    credential: String,
    state: String,
    csrf_token: String,
}

impl FormFields for PasskeyFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["name"];
}

impl PasskeyFields {
    pub(super) fn response(&self) -> PasskeyResponse<'_> {
        PasskeyResponse { credential: &self.credential, state: &self.state, csrf_token: &self.csrf_token }
    }
}
