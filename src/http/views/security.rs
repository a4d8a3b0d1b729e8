//! The security settings, and the forms that change them.

use super::{Field, Icon, Shell};
use crate::messages::{Key, Message};
use crate::model::time::Time;
use askama::Template;

/// `/auth/account/security`.
#[derive(Template)]
#[template(path = "account_security.html")]
pub struct SecurityPage<'a> {
    pub layout: &'a Shell<'a>,
    pub notice: Option<&'a Message>,
    /// The ways to log in, one line each; what is recommended first.
    pub methods: &'a [SecurityLine],
    /// The number of sessions that are logged in.
    pub sessions: usize,
}

#[derive(Clone, Debug)]
pub struct SecurityLine {
    pub icon: Icon,
    pub title: Key,
    pub state: Message,
    /// When it was last changed, if that is known: said instead of the state.
    pub changed_at: Option<Time>,
    /// Whether it is on, where it can be off.
    pub is_on: bool,
    /// Whether the account should have it, and has it not.
    pub is_recommended: bool,
    pub href: &'static str,
}

/// `/auth/account/password`.
#[derive(Template)]
#[template(path = "account_password.html")]
pub struct PasswordPage<'a> {
    pub layout: &'a Shell<'a>,
    /// Username, for the password manager.
    pub username: &'a str,
    /// Whether to ask for the current password.
    pub has_password: bool,
    /// What else logs in, whatever the password: titles and addresses of their pages.
    pub others: &'a [(Key, &'static str)],
    pub current_error: Option<&'a Message>,
    pub new_error: Option<&'a Message>,
    /// Minimum password length, in characters.
    pub min_password_length: usize,
    pub end_others: bool,
}

impl PasswordPage<'_> {
    const fn has_error(&self) -> bool {
        self.current_error.is_some() || self.new_error.is_some() || self.layout.form_error.is_some()
    }

    const fn title(&self) -> Key {
        if self.has_password { Key("password-title") } else { Key("password-first-title") }
    }

    const fn button(&self) -> Key {
        if self.has_password { Key("password-button") } else { Key("password-first-button") }
    }

    /// Whether the new password gets the focus: it alone is wrong, or it is the only field.
    const fn focuses_new_password(&self) -> bool {
        !self.has_password || (self.new_error.is_some() && self.current_error.is_none())
    }
}

/// `/auth/account/username`.
#[derive(Template)]
#[template(path = "account_username.html")]
pub struct UsernamePage<'a> {
    pub layout: &'a Shell<'a>,
    pub username: Field<'a>,
}

/// `/auth/account/name`.
#[derive(Template)]
#[template(path = "account_name.html")]
pub struct NamePage<'a> {
    pub layout: &'a Shell<'a>,
    pub name: Field<'a>,
}

/// `/auth/account/export`.
#[derive(Template)]
#[template(path = "account_export.html")]
pub struct ExportPage<'a> {
    pub layout: &'a Shell<'a>,
}
