//! What protects the account, and the forms that change it.

use super::{Chrome, Field, Section};
use crate::messages::{Key, Message};
use askama::Template;

/// `/auth/account/security`.
#[derive(Template)]
#[template(path = "account_security.html")]
pub struct SecurityPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The pages to move between.
    pub sections: &'a [Section],
    /// What was just done.
    pub done: Option<&'a Message>,
    /// What protects the account, one line each.
    pub lines: &'a [SecurityLine],
}

/// One of the things that protect an account.
#[derive(Clone, Debug)]
pub struct SecurityLine {
    /// What it is.
    pub title: Key,
    /// How it stands.
    pub state: Message,
    /// Where it is changed.
    pub href: &'static str,
    /// What the link says.
    pub action: Key,
}

/// `/auth/account/password`.
#[derive(Template)]
#[template(path = "account_password.html")]
pub struct PasswordPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The pages to move between.
    pub sections: &'a [Section],
    /// The account's name, for the browser's password manager.
    pub username: &'a str,
    /// Whether there is a password that must be known.
    pub has_password: bool,
    /// What is wrong with the present password.
    pub current_error: Option<&'a Message>,
    /// What is wrong with the new one.
    pub new_error: Option<&'a Message>,
    /// The least number of characters.
    pub password_min: usize,
    /// Whether the other sessions are to end.
    pub end_others: bool,
    /// What is wrong with the whole form.
    pub form_error: Option<&'a Message>,
}

impl PasswordPage<'_> {
    const fn has_error(&self) -> bool {
        self.current_error.is_some() || self.new_error.is_some() || self.form_error.is_some()
    }

    /// The new password is where to start if that is what was wrong, or all that is asked for.
    const fn starts_with_new(&self) -> bool {
        !self.has_password || (self.new_error.is_some() && self.current_error.is_none())
    }
}

/// `/auth/account/username`.
#[derive(Template)]
#[template(path = "account_username.html")]
pub struct UsernamePage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The pages to move between.
    pub sections: &'a [Section],
    /// The name.
    pub username: Field<'a>,
    /// What is wrong with the whole form.
    pub form_error: Option<&'a Message>,
}

/// `/auth/account/export`.
#[derive(Template)]
#[template(path = "account_export.html")]
pub struct ExportPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The pages to move between.
    pub sections: &'a [Section],
    /// What is wrong with the form.
    pub form_error: Option<&'a Message>,
}
