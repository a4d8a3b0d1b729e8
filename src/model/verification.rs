//! The kinds of mailed links and codes, and their validity.

use std::time::Duration;

/// What a mailed link or code is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Verifies the email address of a signup, which creates the account.
    Signup,
    /// Verifies the email address of an account.
    Verification,
    /// Verifies the new email address of an account.
    EmailChange,
    /// Sets a new password.
    PasswordReset,
    /// Undoes a change of the email address.
    EmailUndo,
}

impl Kind {
    const ALL: [Kind; 5] = [Kind::Signup, Kind::Verification, Kind::EmailChange, Kind::PasswordReset, Kind::EmailUndo];

    /// The name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::Signup => "sign_up",
            Kind::Verification => "verification",
            Kind::EmailChange => "email_change",
            Kind::PasswordReset => "password_reset",
            Kind::EmailUndo => "email_undo",
        }
    }

    /// Reads a name in the database.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// The validity of the link (docs/protocol.md 10).
    pub const fn link_ttl(self) -> Duration {
        match self {
            Kind::Signup | Kind::Verification | Kind::EmailChange => Duration::from_hours(24),
            Kind::PasswordReset => Duration::from_mins(30),
            Kind::EmailUndo => Duration::from_hours(72),
        }
    }

    /// The purpose of its link: all that verify an email address have one path.
    pub const fn purpose(self) -> TokenPurpose {
        match self {
            Kind::Signup | Kind::Verification | Kind::EmailChange => TokenPurpose::EmailVerification,
            Kind::PasswordReset => TokenPurpose::PasswordReset,
            Kind::EmailUndo => TokenPurpose::EmailUndo,
        }
    }

    /// Whether the email also contains a code.
    pub const fn has_code(self) -> bool {
        matches!(self.purpose(), TokenPurpose::EmailVerification)
    }
}

/// The purpose of a token; a token of one purpose is not valid for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenPurpose {
    /// Verifies an email address.
    EmailVerification,
    /// Sets a new password.
    PasswordReset,
    /// Accepts an invitation.
    Invitation,
    /// Undoes a change of an email address.
    EmailUndo,
    /// A code that is entered instead of following a link.
    MailCode,
    /// Completes a pending login with the second factor.
    PendingLogin,
    /// A trusted device skips the second factor.
    TrustedDevice,
}
