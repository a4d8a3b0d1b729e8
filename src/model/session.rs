//! Nouns of sessions.

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// The user logged out.
    Logout,
    /// Another log-in on the same browser took its place.
    Replaced,
    /// A replaced refresh token came back.
    Reuse,
    /// The user was disabled.
    Disabled,
    /// The password was set anew.
    PasswordSet,
    /// The password was set anew by a mailed link.
    PasswordReset,
    /// The account's address was proved, elsewhere than in this session.
    AddressProved,
    /// A change of the address was taken back.
    ChangeUndone,
    /// The user ended it from another session.
    Ended,
    /// The user changed how they log in, and wanted all other sessions ended.
    FactorsChanged,
    /// An operator removed the second factors.
    FactorsReset,
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
            EndReason::AddressProved => "address_proved",
            EndReason::ChangeUndone => "change_undone",
            EndReason::Ended => "ended",
            EndReason::FactorsChanged => "factors",
            EndReason::FactorsReset => "factors_reset",
        }
    }
}
