//! The page that asks for an email address during a login.

use super::{Field, Shell};
use crate::domain::verification::missing_address::AddressEntry;
use crate::http::return_to;
use crate::messages::Key;
use askama::Template;

/// `/auth/login/address`.
#[derive(Template)]
#[template(path = "login_address.html")]
pub struct LoginAddressPage<'a> {
    pub layout: &'a Shell<'a>,
    /// The redirect target afterwards, already validated.
    pub return_to: Option<&'a str>,
    pub username: &'a str,
    pub entry: AddressEntry,
    pub email: Field<'a>,
}

impl LoginAddressPage<'_> {
    fn needs_proof(&self) -> bool {
        self.entry == AddressEntry::NeedsProof
    }

    fn title(&self) -> Key {
        Key(if self.needs_proof() { "no-address-other-way" } else { "no-address-title" })
    }

    fn login(&self) -> String {
        return_to::append("/auth/login", self.return_to)
    }

    const fn has_error(&self) -> bool {
        self.email.error.is_some() || self.layout.form_error.is_some()
    }
}
