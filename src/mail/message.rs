//! The kinds of emails, and the data of each.

use crate::crypto::token_hash::LinkToken;
use crate::model::ids::{AccountTokenId, InvitationId, UserId};
use crate::model::organization::MemberRole;
use crate::model::time::Time;
use std::time::Duration;
use uuid::Uuid;

/// A notice that was not delivered in this time is dropped.
const NOTICE_TTL: Duration = Duration::from_hours(72);

/// The kind of an invitation's mail.
pub(super) const INVITATION: &str = "invitation";

/// An email to a person.
#[derive(Clone, Copy)]
pub enum Mail<'a> {
    /// To an invited person; the link verifies the email address.
    Invitation {
        /// The invitation.
        invitation: InvitationId,
        /// The organization's name.
        organization: &'a str,
        /// Who invites, if it was not an operator.
        inviter: Option<Inviter<'a>>,
        /// The role of the new member.
        role: MemberRole,
        /// The token of the mailed link, not of the one that the inviter sees.
        token: &'a LinkToken,
        /// When the invitation expires.
        expires_at: Time,
    },
    /// To the email address of an account: a link and a code, either of which verifies it.
    VerifyEmail {
        /// The account.
        user: UserId,
        /// The token of the link.
        token: &'a LinkToken,
        /// The code, six digits.
        code: &'a str,
        /// When the code expires.
        code_expires_at: Time,
        /// When the link expires.
        expires_at: Time,
    },
    /// To the email address of a signup without an account yet: a link and a code, either of which verifies it.
    ConfirmSignup {
        /// The signup.
        signup: AccountTokenId,
        /// The token of the link.
        token: &'a LinkToken,
        /// The code, six digits.
        code: &'a str,
        /// When the code expires.
        code_expires_at: Time,
        /// When the link expires.
        expires_at: Time,
        /// Whether an account that never verified the email address holds it: the page asks about it.
        account_exists: bool,
    },
    /// To the email address of an account, after a signup with it or a change to it by another account (so that the
    /// page does not allow account enumeration).
    AddressTaken {
        /// The signup or the change.
        about: AccountTokenId,
        /// When that expires.
        expires_at: Time,
    },
    /// To the email address of an account: a link to set a new password.
    ResetPassword {
        /// The account.
        user: UserId,
        /// The token of the link.
        token: &'a LinkToken,
        /// When the link expires.
        expires_at: Time,
    },
    /// To the email address of an account: its password was changed.
    PasswordChanged {
        /// The account.
        user: UserId,
    },
    /// To the new email address of an account: a link and a code, either of which verifies it and completes the change.
    ChangeEmail {
        /// The account.
        user: UserId,
        /// Its username.
        username: &'a str,
        /// The token of the link.
        token: &'a LinkToken,
        /// The code, six digits.
        code: &'a str,
        /// When the code expires.
        code_expires_at: Time,
        /// When the link expires.
        expires_at: Time,
    },
    /// To the old email address of an account after a change: a link that undoes it.
    EmailChanged {
        /// The account.
        user: UserId,
        /// Its username.
        username: &'a str,
        /// The token of the link.
        token: &'a LinkToken,
        /// When the link expires.
        expires_at: Time,
    },
    /// To the old email address of an account after a change, if it was never verified. There is no link to undo it.
    UnverifiedEmailChanged,
    /// To the email address of an account: a login method was added.
    LoginMethodAdded {
        /// The account.
        user: UserId,
        /// The method.
        method: LoginMethod,
    },
    /// To the email address of an account: a login method was removed.
    LoginMethodRemoved {
        /// The account.
        user: UserId,
        /// The method.
        method: LoginMethod,
    },
    /// To the last email address of a deleted account.
    AccountDeleted {
        /// Its username.
        username: &'a str,
    },
    /// A test by the operator.
    Test,
}

/// The member who sent an invitation.
#[derive(Clone, Copy)]
pub struct Inviter<'a> {
    /// The username, which says nothing about who it is.
    pub username: &'a str,
    /// The email address, if it was verified.
    pub verified_email: Option<&'a str>,
}

/// A login method or second factor, besides the password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoginMethod {
    /// A passkey.
    Passkey,
    /// One-time codes of an authenticator app.
    AuthenticatorApp,
    /// A set of recovery codes.
    RecoveryCodes,
}

impl Mail<'_> {
    /// The name of the kind, as it is stored and shown.
    pub const fn kind(&self) -> &'static str {
        match self {
            Mail::Invitation { .. } => INVITATION,
            Mail::VerifyEmail { .. } => "email-verification",
            Mail::ConfirmSignup { .. } => "sign-up",
            Mail::AddressTaken { .. } => "address-taken",
            Mail::ResetPassword { .. } => "password-reset",
            Mail::PasswordChanged { .. } => "password-changed",
            Mail::ChangeEmail { .. } => "email-change",
            Mail::EmailChanged { .. } => "email-changed",
            Mail::UnverifiedEmailChanged => "email-left",
            Mail::LoginMethodAdded { .. } => "sign-in-method-added",
            Mail::LoginMethodRemoved { .. } => "sign-in-method-removed",
            Mail::AccountDeleted { .. } => "account-deleted",
            Mail::Test => "test",
        }
    }

    /// What the email is about, if a newer one of the same kind replaces it.
    pub(super) const fn about(&self) -> Option<Uuid> {
        match self {
            Mail::Invitation { invitation, .. } => Some(invitation.0),
            Mail::VerifyEmail { user, .. } | Mail::ResetPassword { user, .. } | Mail::ChangeEmail { user, .. } => {
                Some(user.0)
            }
            Mail::ConfirmSignup { signup: about, .. } | Mail::AddressTaken { about, .. } => Some(about.0),
            // Each reports a separate event; and the link that undoes a first change stays valid after a second.
            Mail::PasswordChanged { .. }
            | Mail::EmailChanged { .. }
            | Mail::UnverifiedEmailChanged
            | Mail::LoginMethodAdded { .. }
            | Mail::LoginMethodRemoved { .. }
            | Mail::AccountDeleted { .. }
            | Mail::Test => None,
        }
    }

    /// When the email expires: with its link, or as old news.
    pub(super) fn expires_at(&self, now: Time) -> Time {
        match self {
            Mail::Invitation { expires_at, .. }
            | Mail::VerifyEmail { expires_at, .. }
            | Mail::ConfirmSignup { expires_at, .. }
            | Mail::AddressTaken { expires_at, .. }
            | Mail::ResetPassword { expires_at, .. }
            | Mail::ChangeEmail { expires_at, .. }
            | Mail::EmailChanged { expires_at, .. } => *expires_at,
            Mail::PasswordChanged { .. }
            | Mail::UnverifiedEmailChanged
            | Mail::LoginMethodAdded { .. }
            | Mail::LoginMethodRemoved { .. }
            | Mail::AccountDeleted { .. }
            | Mail::Test => now + NOTICE_TTL,
        }
    }

    /// The link of its button; `base` is the public origin.
    pub(super) fn link(&self, base: &str) -> Option<String> {
        let token_link = |path: &str, token: &LinkToken| Some(format!("{base}{path}{}", token.text()));
        match self {
            Mail::Invitation { token, .. } => token_link("/auth/invitations/", token),
            Mail::VerifyEmail { token, .. } | Mail::ConfirmSignup { token, .. } | Mail::ChangeEmail { token, .. } => {
                token_link("/auth/email/verify/", token)
            }
            Mail::AddressTaken { .. } | Mail::UnverifiedEmailChanged => Some(format!("{base}/auth/login")),
            Mail::ResetPassword { token, .. } => token_link("/auth/password/reset/", token),
            Mail::EmailChanged { token, .. } => token_link("/auth/email/undo/", token),
            Mail::PasswordChanged { .. } => Some(format!("{base}/auth/password/forgot")),
            Mail::LoginMethodAdded { .. } | Mail::LoginMethodRemoved { .. } => Some(format!("{base}/auth/account")),
            Mail::AccountDeleted { .. } | Mail::Test => None,
        }
    }
}
