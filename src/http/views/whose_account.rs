//! The question whose account holds an email address: a page of its own at sign-up, and a part of the reset page.

use super::Shell;
use crate::domain::ownership::unverified::{UnverifiedHolder, WhoseAccount};
use crate::messages::Message;
use askama::Template;

/// Asks at sign-up, after a valid code or link.
#[derive(Template)]
#[template(path = "whose_account.html")]
pub struct WhoseAccountPage<'a> {
    pub layout: &'a Shell<'a>,
    pub email: &'a str,
    /// The secret that the answer is sent with: it is checked once more, as nothing was changed yet.
    pub secret: CarriedSecret<'a>,
    pub question: AccountQuestion<'a>,
}

/// The secret from the verification email.
#[derive(Clone, Copy)]
pub enum CarriedSecret<'a> {
    /// The code, in a hidden field.
    Code(&'a str),
    /// The token of the link, in the form's path.
    Link(&'a str),
}

impl CarriedSecret<'_> {
    pub(super) fn action(self) -> String {
        match self {
            CarriedSecret::Code(_) => "/auth/email/verify".to_owned(),
            CarriedSecret::Link(token) => format!("/auth/email/verify/{token}"),
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
