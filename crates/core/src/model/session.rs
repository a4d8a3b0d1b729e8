//! Why sessions end.

use super::names::names;

names! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum EndReason {
        Logout = "logout",
        /// Another login in the same browser replaced it.
        Replaced = "replaced",
        /// A replaced refresh token was replayed.
        Reuse = "reuse",
        Disabled = "disabled",
        PasswordSet = "password",
        /// The password was reset by a mailed link.
        PasswordReset = "reset",
        /// The account's email address was verified, outside of this session.
        EmailVerified = "address_proved",
        EmailChangeUndone = "change_undone",
        /// The user revoked it from another session.
        Ended = "ended",
        /// The user changed the authentication factors, and revoked all other sessions.
        FactorsChanged = "factors",
        /// An operator removed the second factors.
        FactorsReset = "factors_reset",
        /// The database was restored from a backup.
        Restored = "restored",
        KeyLost = "key_lost",
        ProviderRemoved = "provider_removed",
        /// It was opened for development, and the service is for other machines now.
        DevelopmentEnded = "development_ended",
    }
}
