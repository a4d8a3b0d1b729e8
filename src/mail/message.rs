//! The kinds of emails, and the data of each.

use super::notice::{AdminNotice, Notice, ROLE_CHANGED, about_admin_notice};
use crate::crypto::token_hash::LinkToken;
use crate::model::device::Device;
use crate::model::ids::{AccountTokenId, InvitationId, UserId};
use crate::model::organization::MemberRole;
use crate::model::time::Time;
use crate::model::user_label::UserLabel;
use crate::store::Queue;
use std::time::Duration;
use uuid::Uuid;

/// A notice that was not delivered in this time is dropped.
const NOTICE_TTL: Duration = Duration::from_hours(72);

pub const INVITATION: &str = "invitation";
/// The kind of the mail that verifies the address of an account.
pub const VERIFY_EMAIL: &str = "email-verification";
/// The kind of the mail with a link to set a new password.
pub const RESET_PASSWORD: &str = "password-reset";
/// The kind of the mail with a link to set the first password.
pub const SET_PASSWORD: &str = "set-password";

#[derive(Clone, Copy)]
pub enum Mail<'a> {
    /// To an invited person; the link verifies the email address.
    Invitation {
        invitation: InvitationId,
        organization: &'a str,
        /// Who invites, if it was not an operator.
        inviter: Option<UserLabel<'a>>,
        role: MemberRole,
        /// The token of the mailed link, not of the one that the inviter sees.
        token: &'a LinkToken,
        expires_at: Time,
    },
    /// To the email address of an account: a link and a code, either of which verifies it.
    VerifyEmail {
        user: UserId,
        token: &'a LinkToken,
        /// The code, six digits.
        code: &'a str,
        code_expires_at: Time,
        /// When the link expires.
        expires_at: Time,
    },
    /// To the email address of a signup without an account yet: a link and a code, either of which verifies it.
    ConfirmSignup {
        signup: AccountTokenId,
        token: &'a LinkToken,
        /// The code, six digits.
        code: &'a str,
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
        expires_at: Time,
    },
    /// To the email address of an account: a link to set a new password.
    ResetPassword {
        user: UserId,
        token: &'a LinkToken,
        expires_at: Time,
    },
    /// To the email address of an account that an application or an operator created: a link to set the first password.
    SetPassword {
        user: UserId,
        token: &'a LinkToken,
        expires_at: Time,
    },
    /// To the new email address of an account: a link and a code, either of which verifies it and completes the change.
    /// It may be a stranger's, who is not shown what the account's holder chose as its name.
    ChangeEmail {
        user: UserId,
        token: &'a LinkToken,
        /// The code, six digits.
        code: &'a str,
        code_expires_at: Time,
        /// When the link expires.
        expires_at: Time,
    },
    /// To the email address of an account that has neither password nor passkey: a code in their place.
    ConfirmationCode {
        user: UserId,
        /// The code, six digits.
        code: &'a str,
        expires_at: Time,
    },
    /// To the old email address of an account after a change: a link that undoes it.
    EmailChanged {
        user: UserId,
        called: UserLabel<'a>,
        token: &'a LinkToken,
        expires_at: Time,
        /// Where it was done, if the account's own user did it.
        device: Option<&'a Device>,
    },
    /// To the email address of an account: what has happened to it. Only [`notify`](super::notify) queues it.
    Notice {
        user: UserId,
        called: UserLabel<'a>,
        notice: Notice,
        /// The name of the thing that it happened to, if it has one; the platform roles that are left, as they are stored.
        thing: Option<&'a str>,
        /// Where it was done, if the account's own user did it.
        device: Option<&'a Device>,
    },
    /// To an administrator: what an administrator did to an account that has a platform role, or got one. Only
    /// [`notify_administrator`](super::notify_administrator) queues it.
    AdminNotice {
        /// The administrator who is told.
        administrator: UserId,
        user: UserId,
        called: UserLabel<'a>,
        notice: AdminNotice,
    },
    Test,
}

impl Mail<'_> {
    /// The name of the kind, as it is stored and shown.
    pub const fn kind(&self) -> &'static str {
        match self {
            Mail::Invitation { .. } => INVITATION,
            Mail::VerifyEmail { .. } => VERIFY_EMAIL,
            Mail::ConfirmSignup { .. } => "sign-up",
            Mail::AddressTaken { .. } => "address-taken",
            Mail::ResetPassword { .. } => RESET_PASSWORD,
            Mail::SetPassword { .. } => SET_PASSWORD,
            Mail::ChangeEmail { .. } => "email-change",
            Mail::ConfirmationCode { .. } => "confirmation-code",
            Mail::EmailChanged { .. } => "email-changed",
            Mail::Notice { notice, .. } => notice.kind(),
            Mail::AdminNotice { .. } => ROLE_CHANGED,
            Mail::Test => "test",
        }
    }

    /// The queue of the outbox in which it waits. Invitations are queued with the notices: they are not urgent, and
    /// one account may send many.
    pub(super) const fn queue(&self) -> Queue {
        let is_late = matches!(self, Mail::Notice { .. } | Mail::AdminNotice { .. } | Mail::Invitation { .. });
        if is_late { Queue::Notice } else { Queue::Mail }
    }

    /// What the email is about: of those about the same, only one waits.
    pub(super) fn about(&self) -> Option<Uuid> {
        match self {
            Mail::Invitation { invitation, .. } => Some(invitation.0),
            Mail::VerifyEmail { user, .. }
            | Mail::ResetPassword { user, .. }
            | Mail::SetPassword { user, .. }
            | Mail::ChangeEmail { user, .. }
            | Mail::ConfirmationCode { user, .. } => Some(user.0),
            Mail::ConfirmSignup { signup: about, .. } | Mail::AddressTaken { about, .. } => Some(about.0),
            Mail::Notice { user, notice, .. } => Some(notice.about(*user)),
            Mail::AdminNotice { administrator, user, notice, .. } => {
                Some(about_admin_notice(*notice, *user, *administrator))
            }
            // The link that undoes a first change stays valid after a second.
            Mail::EmailChanged { .. } | Mail::Test => None,
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
            | Mail::SetPassword { expires_at, .. }
            | Mail::ChangeEmail { expires_at, .. }
            | Mail::ConfirmationCode { expires_at, .. }
            | Mail::EmailChanged { expires_at, .. } => *expires_at,
            Mail::Notice { .. } | Mail::AdminNotice { .. } | Mail::Test => now + NOTICE_TTL,
        }
    }

    /// The code that its reader types.
    pub(super) const fn code(&self) -> Option<&str> {
        match self {
            Mail::VerifyEmail { code, .. }
            | Mail::ConfirmSignup { code, .. }
            | Mail::ChangeEmail { code, .. }
            | Mail::ConfirmationCode { code, .. } => Some(code),
            Mail::Invitation { .. }
            | Mail::AddressTaken { .. }
            | Mail::ResetPassword { .. }
            | Mail::SetPassword { .. }
            | Mail::EmailChanged { .. }
            | Mail::Notice { .. }
            | Mail::AdminNotice { .. }
            | Mail::Test => None,
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
            Mail::AddressTaken { .. } | Mail::Notice { notice: Notice::AccountEnabled, .. } => {
                Some(format!("{base}/auth/login"))
            }
            Mail::ResetPassword { token, .. } | Mail::SetPassword { token, .. } => {
                token_link("/auth/password/reset/", token)
            }
            Mail::EmailChanged { token, .. } => token_link("/auth/email/undo/", token),
            Mail::Notice { notice: Notice::PasswordChanged, .. } => Some(format!("{base}/auth/password/forgot")),
            Mail::Notice {
                notice: Notice::LoginMethodAdded(_) | Notice::LoginMethodRemoved(_) | Notice::AccountRecovered,
                ..
            } => Some(format!("{base}/auth/account/security")),
            Mail::Notice { notice: Notice::RoleChanged, .. } => Some(format!("{base}/auth/account")),
            Mail::Notice { notice: Notice::ProviderConnected | Notice::ProviderDisconnected, .. } => {
                Some(format!("{base}/auth/account/connections"))
            }
            Mail::Notice { notice: Notice::SessionsEnded, .. } => Some(format!("{base}/auth/account/sessions")),
            Mail::Notice {
                notice: Notice::EmailReplaced | Notice::AccountDisabled | Notice::AccountDeleted, ..
            }
            | Mail::ConfirmationCode { .. }
            | Mail::Test => None,
            // What is left of it.
            Mail::AdminNotice { user, notice: AdminNotice::Deleted, .. } => {
                Some(format!("{base}/auth/admin/audit?query={user}"))
            }
            Mail::AdminNotice { user, .. } => Some(format!("{base}/auth/admin/people/{user}")),
        }
    }
}
