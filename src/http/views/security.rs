//! The security settings, and the forms that change them.

use super::{Field, Icon, Layout, NavigationItem};
use crate::messages::{Key, Message};
use crate::model::time::Time;
use askama::Template;

/// `/auth/account/security`.
#[derive(Template)]
#[template(path = "account_security.html")]
pub struct SecurityPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The account navigation.
    pub sections: &'a [NavigationItem],
    /// Confirms what was just done.
    pub notice: Option<&'a Message>,
    /// The ways to log in, one line each; what is recommended first.
    pub methods: &'a [SecurityLine],
    /// The number of sessions that are logged in.
    pub sessions: usize,
}

/// A way to log in.
#[derive(Clone, Debug)]
pub struct SecurityLine {
    /// Its drawing.
    pub icon: Icon,
    /// Its title.
    pub title: Key,
    /// Its current state.
    pub state: Message,
    /// When it was last changed, if that is known: said instead of the state.
    pub changed_at: Option<Time>,
    /// Whether it is on, where it can be off.
    pub is_on: bool,
    /// Whether the account should have it, and has it not.
    pub is_recommended: bool,
    /// The page that changes it.
    pub href: &'static str,
}

/// `/auth/account/password`.
#[derive(Template)]
#[template(path = "account_password.html")]
pub struct PasswordPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The account navigation.
    pub sections: &'a [NavigationItem],
    /// Username, for the password manager.
    pub username: &'a str,
    /// Whether to ask for the current password.
    pub has_password: bool,
    /// An error of the current password.
    pub current_error: Option<&'a Message>,
    /// An error of the new password.
    pub new_error: Option<&'a Message>,
    /// Minimum password length, in characters.
    pub min_password_length: usize,
    /// Whether to end all other sessions.
    pub end_others: bool,
    /// An error of the whole form.
    pub form_error: Option<&'a Message>,
}

impl PasswordPage<'_> {
    const fn has_error(&self) -> bool {
        self.current_error.is_some() || self.new_error.is_some() || self.form_error.is_some()
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
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The account navigation.
    pub sections: &'a [NavigationItem],
    /// The username field.
    pub username: Field<'a>,
    /// An error of the whole form.
    pub form_error: Option<&'a Message>,
}

/// `/auth/account/name`.
#[derive(Template)]
#[template(path = "account_name.html")]
pub struct NamePage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The account navigation.
    pub sections: &'a [NavigationItem],
    /// The field.
    pub name: Field<'a>,
    /// An error of the whole form.
    pub form_error: Option<&'a Message>,
}

/// `/auth/account/export`.
#[derive(Template)]
#[template(path = "account_export.html")]
pub struct ExportPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The account navigation.
    pub sections: &'a [NavigationItem],
    /// An error of the whole form.
    pub form_error: Option<&'a Message>,
}
