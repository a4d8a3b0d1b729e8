//! The pages about a forgotten password, and about links that are over.

use super::{Chrome, Field};
use crate::domain::verification::password_reset::Unproved;
use crate::messages::{Key, Message};
use crate::model::time::Time;
use askama::Template;

/// `/auth/password/forgot`.
#[derive(Template)]
#[template(path = "password_forgot.html")]
pub struct ForgotPasswordPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// Where to go in the end, already judged safe.
    pub return_to: Option<&'a str>,
    /// What was typed.
    pub email: Field<'a>,
    /// What is wrong with the form as a whole.
    pub form_error: Option<&'a Message>,
}

/// `/auth/password/reset/{token}`.
#[derive(Template)]
#[template(path = "password_reset.html")]
pub struct ResetPasswordPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The secret part of the link.
    pub token: &'a str,
    /// The account's address, for the browser's store of passwords.
    pub email: &'a str,
    /// The account, if it never proved its address: whoever has the link says whether it is theirs.
    pub unproved: Option<UnprovedAccount<'a>>,
    /// Least length of a password, in characters.
    pub password_min: usize,
    /// What is wrong with the password.
    pub password_error: Option<&'a Message>,
    /// What is wrong with the form as a whole.
    pub form_error: Option<&'a Message>,
}

/// What is shown of an account that never proved its address.
#[derive(Clone, Copy)]
pub struct UnprovedAccount<'a> {
    /// Its name.
    pub username: &'a str,
    /// When it was made.
    pub created_at: Time,
    /// What is to become of it.
    pub choice: Unproved,
}

impl ResetPasswordPage<'_> {
    fn has_error(&self) -> bool {
        self.form_error.is_some() || self.password_error.is_some()
    }
}

/// What became of a mailed link, where nothing is left to be typed.
#[derive(Template)]
#[template(path = "link_outcome.html")]
pub struct LinkOutcomePage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// What became of it.
    pub outcome: LinkOutcome,
    /// Passed on to the next page.
    pub return_to: Option<&'a str>,
}

/// What became of a mailed link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkOutcome {
    /// A mail is on its way, if there is an account.
    ResetSent,
    /// The link of a reset is not good any more.
    ResetOver,
    /// The link that proves an address is not good any more.
    ProofOver,
    /// The link that takes a change back is not good any more.
    UndoOver,
    /// The address is another account's.
    AddressTaken,
    /// The invitation that a sign-up was for is over.
    InvitationVoid,
    /// Somebody else is logged in.
    OtherAccount,
}

impl LinkOutcome {
    const fn heading(self) -> Key {
        match self {
            LinkOutcome::ResetSent => Key("reset-sent-title"),
            LinkOutcome::ResetOver | LinkOutcome::ProofOver | LinkOutcome::UndoOver => Key("link-over-title"),
            LinkOutcome::AddressTaken => Key("address-taken-title"),
            LinkOutcome::InvitationVoid => Key("proof-invitation-void-title"),
            LinkOutcome::OtherAccount => Key("link-other-title"),
        }
    }

    const fn explanation(self) -> Key {
        match self {
            LinkOutcome::ResetSent => Key("reset-sent"),
            LinkOutcome::ResetOver => Key("reset-over"),
            LinkOutcome::ProofOver => Key("proof-over"),
            LinkOutcome::UndoOver => Key("undo-over"),
            LinkOutcome::AddressTaken => Key("address-taken"),
            LinkOutcome::InvitationVoid => Key("proof-invitation-void"),
            LinkOutcome::OtherAccount => Key("link-other"),
        }
    }

    /// Where to go next, and what the way is called.
    const fn next(self) -> (&'static str, Key) {
        match self {
            LinkOutcome::ResetOver => ("/auth/password/forgot", Key("reset-over-again")),
            LinkOutcome::OtherAccount => ("/auth/account", Key("link-to-account")),
            _ => ("/auth/login", Key("link-to-log-in")),
        }
    }
}
