//! Why sessions end.

use super::names::names;

names! {
    /// Why a session ended.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum EndReason {
        /// The user logged out.
        Logout = "logout",
        /// Another login in the same browser replaced it.
        Replaced = "replaced",
        /// A replaced refresh token was replayed.
        Reuse = "reuse",
        /// The user was disabled.
        Disabled = "disabled",
        /// The password was changed.
        PasswordSet = "password",
        /// The password was reset by a mailed link.
        PasswordReset = "reset",
        /// The account's email address was verified, outside of this session.
        EmailVerified = "address_proved",
        /// A change of the email address was undone.
        EmailChangeUndone = "change_undone",
        /// The user revoked it from another session.
        Ended = "ended",
        /// The user changed the authentication factors, and revoked all other sessions.
        FactorsChanged = "factors",
        /// An operator removed the second factors.
        FactorsReset = "factors_reset",
        /// The database was restored from a backup.
        Restored = "restored",
        /// The secret key was lost.
        KeyLost = "key_lost",
        /// The provider that it began with was removed.
        ProviderRemoved = "provider_removed",
        /// It was opened for development, and the service is for other machines now.
        DevelopmentEnded = "development_ended",
    }
}
