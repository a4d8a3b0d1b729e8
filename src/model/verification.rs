//! What a mailed link or code does, and for how long.

use std::time::Duration;

/// What a mailed link or code does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Proves the address of a sign-up, which becomes an account by it.
    SignUp,
    /// Proves the address of an account.
    Verification,
    /// Proves the new address of an account.
    EmailChange,
    /// Sets a new password.
    PasswordReset,
    /// Takes a change of the address back.
    EmailUndo,
}

impl Kind {
    const ALL: [Kind; 5] = [Kind::SignUp, Kind::Verification, Kind::EmailChange, Kind::PasswordReset, Kind::EmailUndo];

    /// The name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::SignUp => "sign_up",
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

    /// How long the link is good (contract.md 7).
    pub const fn link_ttl(self) -> Duration {
        match self {
            Kind::SignUp | Kind::Verification | Kind::EmailChange => Duration::from_hours(24),
            Kind::PasswordReset => Duration::from_mins(30),
            Kind::EmailUndo => Duration::from_hours(72),
        }
    }

    /// What its link is for: all that prove an address have one path.
    pub const fn purpose(self) -> TokenPurpose {
        match self {
            Kind::SignUp | Kind::Verification | Kind::EmailChange => TokenPurpose::EmailVerification,
            Kind::PasswordReset => TokenPurpose::PasswordReset,
            Kind::EmailUndo => TokenPurpose::EmailUndo,
        }
    }

    /// Whether the mail also has a code to be typed.
    pub const fn has_code(self) -> bool {
        matches!(self.purpose(), TokenPurpose::EmailVerification)
    }
}

/// What a token is for; a token of one purpose is worth nothing for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenPurpose {
    /// Proves an e-mail address.
    EmailVerification,
    /// Sets a new password.
    PasswordReset,
    /// Accepts an invitation.
    Invitation,
    /// Takes a change of an e-mail address back.
    EmailUndo,
    /// A code that is typed instead of following a link.
    MailCode,
    /// Finishes a log-in with the second factor.
    HalfLogIn,
    /// Spares a browser the second factor.
    RememberedDevice,
}
