//! The question whose account holds an email address: a page of its own at signup, and a part of the reset page.

use super::Shell;
use crate::domain::ownership::unverified::{UnverifiedHolder, WhoseAccount};
use crate::messages::Message;
use askama::Template;

/// Asks at signup, after a valid code or link, or after the return from a provider.
#[derive(Template)]
#[template(path = "whose_account.html")]
pub struct WhoseAccountPage<'a> {
    pub layout: &'a Shell<'a>,
    pub email: &'a str,
    /// The secret that the answer is sent with: it is checked once more, as nothing was changed yet.
    pub secret: CarriedSecret<'a>,
    pub question: AccountQuestion<'a>,
}

/// What has shown that the person has the address.
#[derive(Clone, Copy)]
pub enum CarriedSecret<'a> {
    /// The code, in a hidden field.
    Code(&'a str),
    /// The token of the link, in the form's path.
    Link(&'a str),
    /// The state of a login with a provider, in a hidden field.
    State { action: &'a str, state: &'a str },
}

impl<'a> CarriedSecret<'a> {
    fn action(self) -> String {
        match self {
            CarriedSecret::Code(_) => "/auth/email/verify".to_owned(),
            CarriedSecret::Link(token) => format!("/auth/email/verify/{token}"),
            CarriedSecret::State { action, .. } => action.to_owned(),
        }
    }

    const fn field(self) -> Option<(&'static str, &'a str)> {
        match self {
            CarriedSecret::Code(code) => Some(("code", code)),
            CarriedSecret::Link(_) => None,
            CarriedSecret::State { state, .. } => Some(("state", state)),
        }
    }
}

/// The question, and its answer if the form comes back with errors. Nothing is preselected.
#[derive(Clone, Copy, Debug)]
pub struct AccountQuestion<'a> {
    pub account: &'a UnverifiedHolder,
    pub answer: Option<WhoseAccount>,
    pub error: Option<&'a Message>,
}

impl AccountQuestion<'_> {
    pub(super) fn is_answered(&self, whose: WhoseAccount) -> bool {
        self.answer == Some(whose)
    }
}
