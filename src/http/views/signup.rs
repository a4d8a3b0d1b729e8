//! The sign-up page.

use super::{Chrome, Field};
use crate::messages::Message;
use askama::Template;

/// `/auth/signup`.
#[derive(Template)]
#[template(path = "signup.html")]
pub struct SignUpPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// Where to go afterwards, already judged safe.
    pub return_to: Option<&'a str>,
    /// The invitation's token, when the page was reached through one.
    pub invitation: Option<&'a str>,
    /// The e-mail address.
    pub email: Field<'a>,
    /// Whether the address is the invitation's and cannot be changed.
    pub email_fixed: bool,
    /// The chosen username; may stay empty.
    pub username: Field<'a>,
    /// What is wrong with the password, which itself is never shown again.
    pub password_error: Option<&'a Message>,
    /// Least length of a password, in characters.
    pub password_min: usize,
    /// What is wrong with the form as a whole.
    pub form_error: Option<&'a Message>,
}

impl SignUpPage<'_> {
    fn has_error(&self) -> bool {
        [self.email.error, self.username.error, self.password_error, self.form_error].iter().any(Option::is_some)
    }

    /// The field to start at: the first bad one, else the first that wants something typed.
    fn focus(&self) -> &'static str {
        if self.email.error.is_some() {
            "email"
        } else if self.username.error.is_some() {
            "username"
        } else if self.password_error.is_some() || !self.email.value.is_empty() {
            "password"
        } else {
            "email"
        }
    }
}
