//! The page that asks for an email address during a login.

use super::{Field, Layout};
use crate::messages::{Key, Message};
use askama::Template;

/// `/auth/login/address`.
#[derive(Template)]
#[template(path = "login_address.html")]
pub struct LoginAddressPage<'a> {
    pub layout: Layout<'a>,
    pub csrf: &'a str,
    /// The redirect target afterwards, already validated.
    pub return_to: Option<&'a str>,
    pub username: &'a str,
    /// In place of the form.
    pub refusal: Option<Key>,
    pub email: Field<'a>,
    pub form_error: Option<&'a Message>,
}

impl LoginAddressPage<'_> {
    const fn has_error(&self) -> bool {
        self.email.error.is_some() || self.form_error.is_some()
    }
}
