//! Which mails there are, and what each needs to be told.

use crate::crypto::token_hash::LinkToken;
use crate::model::ids::{AccountTokenId, InvitationId, UserId};
use crate::model::organization::MemberRole;
use crate::model::time::Time;
use std::time::Duration;
use uuid::Uuid;

/// A notice that did not arrive by then is of no more use.
const NOTICE_TTL: Duration = Duration::from_hours(72);

/// The kind of an invitation's mail.
pub(super) const INVITATION: &str = "invitation";

/// A mail to a person.
#[derive(Clone, Copy)]
pub enum Mail<'a> {
    /// To the invited: the link proves the address.
    Invitation {
        /// The invitation.
        invitation: InvitationId,
        /// The organization's name.
        organization: &'a str,
        /// Who invites, if it was not an operator.
        inviter: Option<&'a str>,
        /// The role to be had.
        role: MemberRole,
        /// The mailed token, not the one that the inviter sees.
        token: &'a LinkToken,
        /// When the invitation ends.
        expires_at: Time,
    },
    /// To the address of an account: a link and a code, either of which proves it.
    VerifyEmail {
        /// The account.
        user: UserId,
        /// Of the link.
        token: &'a LinkToken,
        /// Six digits, to be typed on the page that asks for them.
        code: &'a str,
        /// When the code ends.
        code_expires_at: Time,
        /// When the link ends.
        expires_at: Time,
    },
    /// To the address of somebody who signs up, and has no account before it is proved: a link and a code.
    ConfirmSignUp {
        /// The sign-up.
        sign_up: AccountTokenId,
        /// Of the link.
        token: &'a LinkToken,
        /// Six digits, to be typed on the page that asks for them.
        code: &'a str,
        /// When the code ends.
        code_expires_at: Time,
        /// When the link ends.
        expires_at: Time,
        /// Whether an account that never proved the address ends with the proof.
        replaces: bool,
    },
    /// To the address of an account: somebody wanted to sign up with it, or to make it another account's.
    AddressTaken {
        /// What the address was wanted for.
        about: AccountTokenId,
        /// When that ends.
        expires_at: Time,
    },
    /// To the address of an account: a link to set a new password with.
    ResetPassword {
        /// The account.
        user: UserId,
        /// Of the link.
        token: &'a LinkToken,
        /// When the link ends.
        expires_at: Time,
    },
    /// To the address of an account: its password is another one now.
    PasswordChanged {
        /// The account.
        user: UserId,
    },
    /// To the new address of an account: a link and a code, either of which proves it and makes it the account's.
    ChangeEmail {
        /// The account.
        user: UserId,
        /// Its name.
        username: &'a str,
        /// Of the link.
        token: &'a LinkToken,
        /// Six digits, to be typed on the page that asks for them.
        code: &'a str,
        /// When the code ends.
        code_expires_at: Time,
        /// When the link ends.
        expires_at: Time,
    },
    /// To the old address of an account: the account has another one now, and this is the way back.
    EmailChanged {
        /// The account.
        user: UserId,
        /// Its name.
        username: &'a str,
        /// Of the link.
        token: &'a LinkToken,
        /// When the link ends.
        expires_at: Time,
    },
    /// To the old address of an account, which nobody ever proved: the account has another one now. There is no way back.
    EmailLeft,
    /// To the address of an account: it can be entered in one more way.
    SignInMethodAdded {
        /// The account.
        user: UserId,
        /// Which way.
        method: SignInMethod,
    },
    /// To the address of an account: it can be entered in one way less.
    SignInMethodRemoved {
        /// The account.
        user: UserId,
        /// Which way.
        method: SignInMethod,
    },
    /// To the last address of an account that is no more.
    AccountDeleted {
        /// Its name.
        username: &'a str,
    },
    /// To whom the operator names: mail arrives.
    Test,
}

/// A way to show who one is, beside the password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignInMethod {
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
            Mail::ConfirmSignUp { .. } => "sign-up",
            Mail::AddressTaken { .. } => "address-taken",
            Mail::ResetPassword { .. } => "password-reset",
            Mail::PasswordChanged { .. } => "password-changed",
            Mail::ChangeEmail { .. } => "email-change",
            Mail::EmailChanged { .. } => "email-changed",
            Mail::EmailLeft => "email-left",
            Mail::SignInMethodAdded { .. } => "sign-in-method-added",
            Mail::SignInMethodRemoved { .. } => "sign-in-method-removed",
            Mail::AccountDeleted { .. } => "account-deleted",
            Mail::Test => "test",
        }
    }

    /// What the mail is about, if a newer one of its kind voids it.
    pub(super) const fn about(&self) -> Option<Uuid> {
        match self {
            Mail::Invitation { invitation, .. } => Some(invitation.0),
            Mail::VerifyEmail { user, .. } | Mail::ResetPassword { user, .. } | Mail::ChangeEmail { user, .. } => {
                Some(user.0)
            }
            Mail::ConfirmSignUp { sign_up: about, .. } | Mail::AddressTaken { about, .. } => Some(about.0),
            // Each tells of something else that happened; and the way back from a first change is not void after a
            // second.
            Mail::PasswordChanged { .. }
            | Mail::EmailChanged { .. }
            | Mail::EmailLeft
            | Mail::SignInMethodAdded { .. }
            | Mail::SignInMethodRemoved { .. }
            | Mail::AccountDeleted { .. }
            | Mail::Test => None,
        }
    }

    /// When the mail is of no more use: its link has ended, or the news is old.
    pub(super) fn expires_at(&self, now: Time) -> Time {
        match self {
            Mail::Invitation { expires_at, .. }
            | Mail::VerifyEmail { expires_at, .. }
            | Mail::ConfirmSignUp { expires_at, .. }
            | Mail::AddressTaken { expires_at, .. }
            | Mail::ResetPassword { expires_at, .. }
            | Mail::ChangeEmail { expires_at, .. }
            | Mail::EmailChanged { expires_at, .. } => *expires_at,
            Mail::PasswordChanged { .. }
            | Mail::EmailLeft
            | Mail::SignInMethodAdded { .. }
            | Mail::SignInMethodRemoved { .. }
            | Mail::AccountDeleted { .. }
            | Mail::Test => now + NOTICE_TTL,
        }
    }

    /// Where its button leads; `base` is the public origin.
    pub(super) fn link(&self, base: &str) -> Option<String> {
        let secret = |path: &str, token: &LinkToken| Some(format!("{base}{path}{}", token.text()));
        match self {
            Mail::Invitation { token, .. } => secret("/auth/invitations/", token),
            Mail::VerifyEmail { token, .. } | Mail::ConfirmSignUp { token, .. } | Mail::ChangeEmail { token, .. } => {
                secret("/auth/email/verify/", token)
            }
            Mail::AddressTaken { .. } | Mail::EmailLeft => Some(format!("{base}/auth/login")),
            Mail::ResetPassword { token, .. } => secret("/auth/password/reset/", token),
            Mail::EmailChanged { token, .. } => secret("/auth/email/undo/", token),
            Mail::PasswordChanged { .. } => Some(format!("{base}/auth/password/forgot")),
            Mail::SignInMethodAdded { .. } | Mail::SignInMethodRemoved { .. } => Some(format!("{base}/auth/account")),
            Mail::AccountDeleted { .. } | Mail::Test => None,
        }
    }
}
