//! Why sessions end.

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// The user logged out.
    Logout,
    /// Another login in the same browser replaced it.
    Replaced,
    /// A replaced refresh token was replayed.
    Reuse,
    /// The user was disabled.
    Disabled,
    /// The password was changed.
    PasswordSet,
    /// The password was reset by a mailed link.
    PasswordReset,
    /// The account's email address was verified, outside of this session.
    EmailVerified,
    /// A change of the email address was undone.
    EmailChangeUndone,
    /// The user revoked it from another session.
    Ended,
    /// The user changed the authentication factors, and revoked all other sessions.
    FactorsChanged,
    /// An operator removed the second factors.
    FactorsReset,
    /// The database was restored from a backup.
    Restored,
    /// The secret key was lost.
    KeyLost,
}

impl EndReason {
    /// The name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            EndReason::Logout => "logout",
            EndReason::Replaced => "replaced",
            EndReason::Reuse => "reuse",
            EndReason::Disabled => "disabled",
            EndReason::PasswordSet => "password",
            EndReason::PasswordReset => "reset",
            EndReason::EmailVerified => "address_proved",
            EndReason::EmailChangeUndone => "change_undone",
            EndReason::Ended => "ended",
            EndReason::FactorsChanged => "factors",
            EndReason::FactorsReset => "factors_reset",
            EndReason::Restored => "restored",
            EndReason::KeyLost => "key_lost",
        }
    }
}
