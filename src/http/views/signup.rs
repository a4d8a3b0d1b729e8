//! The signup page.

use super::{Field, ProviderButtons, Shell};
use crate::messages::{Key, Message, Text};
use crate::model::provider::ProviderKind;
use crate::model::user_label::UserLabel;
use crate::settings::SignupUsername;
use askama::Template;

/// `/auth/signup`.
#[derive(Template)]
#[template(path = "signup.html")]
pub struct SignupPage<'a> {
    pub layout: &'a Shell<'a>,
    /// The redirect target afterwards, already validated.
    pub return_to: Option<&'a str>,
    /// The token of the invitation that led here.
    pub invitation: Option<&'a str>,
    /// The token of the link for the first administrator.
    pub setup: Option<&'a str>,
    pub email: Field<'a>,
    /// The invitation, whose address is the only one that may sign up with it.
    pub invited: Option<Invited<'a>>,
    pub username: Field<'a>,
    /// Whether the form asks for a username.
    pub username_setting: SignupUsername,
    /// Whether a username that is taken gets a number.
    pub numbers_usernames: bool,
    /// An error of the password, which is never filled in again.
    pub password_error: Option<&'a Message>,
    /// Minimum password length, in characters.
    pub min_password_length: usize,
    pub providers: &'a ProviderButtons,
    /// Whether this browser logged in by a password last.
    pub password_is_last: bool,
}

/// The invitation that leads to a signup.
#[derive(Clone, Copy, Debug)]
pub struct Invited<'a> {
    pub organization: &'a str,
    /// Who invites, if it is a member.
    pub inviter: Option<UserLabel<'a>>,
}

impl SignupPage<'_> {
    fn title(&self) -> Text<'_> {
        match self.invited {
            Some(invited) => self.layout.t("sign-up-join").with("organization", invited.organization),
            None => self.layout.t(if self.setup.is_some() { "setup-title" } else { "sign-up-title" }),
        }
    }

    fn inviter(&self) -> Option<UserLabel<'_>> {
        self.invited.and_then(|invited| invited.inviter)
    }

    fn asks_for_username(&self) -> bool {
        self.username_setting != SignupUsername::Hidden
    }

    fn requires_username(&self) -> bool {
        self.username_setting == SignupUsername::Required
    }

    fn username_hint(&self) -> Key {
        Key(match (self.numbers_usernames, self.requires_username()) {
            (false, false) => "sign-up-username-hint",
            (false, true) => "sign-up-username-rule",
            (true, false) => "sign-up-username-hint-numbered",
            (true, true) => "sign-up-username-rule-numbered",
        })
    }

    fn has_error(&self) -> bool {
        [self.email.error, self.username.error, self.password_error, self.layout.form_error].iter().any(Option::is_some)
    }

    /// The field with autofocus: the first invalid one, else the first empty one.
    fn focus(&self) -> &'static str {
        if self.email.error.is_some() && self.invited.is_none() {
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
