//! The kinds of mailed links and codes, and their validity.

use super::names::names;
use std::time::Duration;

/// Lifetime of a code (docs/reference/browser.md 10).
pub const CODE_TTL: Duration = Duration::from_mins(10);

names! {
    /// What a mailed link or code is for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum AccountTokenKind {
        /// Verifies the email address of a signup, which creates the account.
        Signup = "sign_up",
        /// Verifies the email address of an account.
        Verification = "verification",
        /// Verifies the new email address of an account.
        EmailChange = "email_change",
        PasswordReset = "password_reset",
        /// Undoes a change of the email address.
        EmailUndo = "email_undo",
        /// Shows that a person reads the mail of an account that has no means of its own to ask for.
        Confirmation = "confirmation",
    }
}

impl AccountTokenKind {
    /// The validity of the link (docs/reference/browser.md 10).
    pub const fn link_ttl(self) -> Duration {
        match self {
            AccountTokenKind::Signup | AccountTokenKind::Verification | AccountTokenKind::EmailChange => {
                Duration::from_hours(24)
            }
            AccountTokenKind::PasswordReset => Duration::from_mins(30),
            AccountTokenKind::EmailUndo => Duration::from_hours(72),
            AccountTokenKind::Confirmation => CODE_TTL,
        }
    }

    /// The purpose of its link: all that verify an email address have one path.
    pub const fn purpose(self) -> TokenPurpose {
        match self {
            AccountTokenKind::Signup | AccountTokenKind::Verification | AccountTokenKind::EmailChange => {
                TokenPurpose::EmailVerification
            }
            AccountTokenKind::PasswordReset => TokenPurpose::PasswordReset,
            AccountTokenKind::EmailUndo => TokenPurpose::EmailUndo,
            AccountTokenKind::Confirmation => TokenPurpose::Confirmation,
        }
    }

    /// Whether the email also contains a code.
    pub const fn has_code(self) -> bool {
        matches!(self.purpose(), TokenPurpose::EmailVerification | TokenPurpose::Confirmation)
    }
}

/// The purpose of a token; a token of one purpose is not valid for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenPurpose {
    EmailVerification,
    PasswordReset,
    Invitation,
    /// Undoes a change of an email address.
    EmailUndo,
    /// Belongs to a code that comes without a link: nothing accepts it.
    Confirmation,
    /// A code that is entered instead of following a link.
    MailCode,
    /// Completes a pending login with the second factor.
    PendingLogin,
    /// Lets a user whose login waits for an email address enter one.
    MissingAddress,
    /// A trusted device skips the second factor.
    TrustedDevice,
    Setup,
    /// Names a login that was begun at a provider.
    ProviderLoginState,
    /// Shows that a browser began a login at a provider.
    ProviderLoginBrowser,
}
