//! The signup page.

use super::{Field, Layout};
use crate::messages::{Key, Message};
use askama::Template;

/// `/auth/signup`.
#[derive(Template)]
#[template(path = "signup.html")]
pub struct SignupPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The redirect target afterwards, already validated.
    pub return_to: Option<&'a str>,
    /// The token of the invitation that led here.
    pub invitation: Option<&'a str>,
    /// The email address.
    pub email: Field<'a>,
    /// Whether the address is the invitation's and read-only.
    pub email_fixed: bool,
    /// The username; optional.
    pub username: Field<'a>,
    /// Whether a username that is taken gets a number.
    pub numbers_usernames: bool,
    /// An error of the password, which is never filled in again.
    pub password_error: Option<&'a Message>,
    /// Minimum password length, in characters.
    pub min_password_length: usize,
    /// An error of the whole form.
    pub form_error: Option<&'a Message>,
}

impl SignupPage<'_> {
    const fn username_hint(&self) -> Key {
        Key(if self.numbers_usernames { "sign-up-username-hint-numbered" } else { "sign-up-username-hint" })
    }

    fn has_error(&self) -> bool {
        [self.email.error, self.username.error, self.password_error, self.form_error].iter().any(Option::is_some)
    }

    /// The field with autofocus: the first invalid one, else the first empty one.
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
