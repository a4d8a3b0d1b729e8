//! The pages for password reset, and for the outcome of an emailed link.

use super::{AccountQuestion, Field, Layout, Shell};
use crate::domain::ownership::unverified::WhoseAccount;
use crate::messages::{Key, Message};
use askama::Template;

/// `/auth/password/forgot`.
#[derive(Template)]
#[template(path = "password_forgot.html")]
pub struct ForgotPasswordPage<'a> {
    pub layout: &'a Shell<'a>,
    /// The redirect target after the reset, already validated.
    pub return_to: Option<&'a str>,
    pub email: Field<'a>,
}

/// `/auth/password/forgot?notice=sent`: the link was requested.
#[derive(Template)]
#[template(path = "reset_sent.html")]
pub struct ResetSentPage<'a> {
    pub layout: &'a Shell<'a>,
    /// The redirect target after the reset, already validated.
    pub return_to: Option<&'a str>,
    pub email: Option<&'a str>,
    /// Seconds until another email may be requested.
    pub resend_after: u64,
}

/// `/auth/password/reset/{token}`.
#[derive(Template)]
#[template(path = "password_reset.html")]
pub struct ResetPasswordPage<'a> {
    pub layout: &'a Shell<'a>,
    pub token: &'a str,
    /// The account's email address, for the password manager.
    pub email: &'a str,
    /// Whose account it is, if it never verified the address.
    pub question: Option<AccountQuestion<'a>>,
    /// Minimum password length, in characters.
    pub min_password_length: usize,
    pub password_error: Option<&'a Message>,
}

impl ResetPasswordPage<'_> {
    fn has_error(&self) -> bool {
        let answer_error = self.question.and_then(|question| question.error);
        self.layout.form_error.is_some() || self.password_error.is_some() || answer_error.is_some()
    }
}

/// The outcome of an emailed or printed link, without a form.
#[derive(Template)]
#[template(path = "link_outcome.html")]
pub struct LinkOutcomePage<'a> {
    pub layout: Layout<'a>,
    pub outcome: LinkOutcome,
    pub return_to: Option<&'a str>,
}

/// The outcome of an emailed or printed link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkOutcome {
    ResetLinkInvalid,
    VerificationLinkInvalid,
    UndoLinkInvalid,
    /// The link for the first administrator is invalid or expired, or there is an administrator.
    SetupLinkInvalid,
    AddressTaken,
    /// The invitation of the signup is no longer valid.
    InvitationVoid,
    OtherAccount,
}

impl LinkOutcome {
    const fn heading(self) -> Key {
        match self {
            LinkOutcome::ResetLinkInvalid
            | LinkOutcome::VerificationLinkInvalid
            | LinkOutcome::UndoLinkInvalid
            | LinkOutcome::SetupLinkInvalid => Key("link-over-title"),
            LinkOutcome::AddressTaken => Key("address-taken-title"),
            LinkOutcome::InvitationVoid => Key("proof-invitation-void-title"),
            LinkOutcome::OtherAccount => Key("link-other-title"),
        }
    }

    const fn explanation(self) -> Key {
        match self {
            LinkOutcome::ResetLinkInvalid => Key("reset-over"),
            LinkOutcome::VerificationLinkInvalid => Key("proof-over"),
            LinkOutcome::UndoLinkInvalid => Key("undo-over"),
            LinkOutcome::SetupLinkInvalid => Key("setup-over"),
            LinkOutcome::AddressTaken => Key("address-taken"),
            LinkOutcome::InvitationVoid => Key("proof-invitation-void"),
            LinkOutcome::OtherAccount => Key("link-other"),
        }
    }

    /// The path and the text of another way on.
    const fn other_link(self) -> Option<(&'static str, Key)> {
        match self {
            LinkOutcome::ResetLinkInvalid => Some(("/auth/login", Key("forgot-back"))),
            LinkOutcome::AddressTaken => Some(("/auth/password/forgot", Key("log-in-forgot"))),
            _ => None,
        }
    }

    const fn offers_support(self) -> bool {
        matches!(self, LinkOutcome::UndoLinkInvalid)
    }

    /// The path and the text of the link to the next page.
    const fn next_link(self) -> (&'static str, Key) {
        match self {
            LinkOutcome::ResetLinkInvalid => ("/auth/password/forgot", Key("reset-over-again")),
            LinkOutcome::OtherAccount => ("/auth/logout", Key("log-out")),
            _ => ("/auth/login", Key("link-to-log-in")),
        }
    }
}
