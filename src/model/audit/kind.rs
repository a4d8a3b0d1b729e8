//! The kinds of entries.

/// An action or a failed attempt that is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say what as_str writes")]
pub enum AuditKind {
    AccountCreated,
    AccountDeleted,
    AccountDisabled,
    AccountEnabled,
    RolesChanged,
    LoggedIn,
    LoginFailed,
    /// The password was right, but the account is disabled.
    LoginRefused,
    LoggedOut,
    /// The user reauthenticated, before a sensitive change.
    Confirmed,
    ConfirmFailed,
    SessionEnded,
    /// Every other session was ended.
    SessionsEnded,
    /// A replaced refresh token came back, and the session was ended.
    ReuseDetected,
    PasswordChanged,
    PasswordReset,
    EmailVerified,
    EmailChanged,
    EmailChangeUndone,
    /// The person who verified the address said that the account is not theirs.
    EmailReleased,
    UsernameChanged,
    TotpEnabled,
    TotpDisabled,
    SecondFactorFailed,
    /// The password was right, and the second factor is outstanding: a pending login began.
    SecondFactorMissing,
    RecoveryCodesCreated,
    RecoveryCodeUsed,
    DeviceTrusted,
    PasskeyAdded,
    PasskeyRenamed,
    PasskeyRemoved,
    /// A passkey was refused, as its signature counter did not grow (a clone).
    PasskeyCloned,
    DataExported,
    /// The application's own id and object of an account.
    DetailsChanged,
    ApiKeyCreated,
    ApiKeyRevoked,
    /// A key of the same name and scopes takes the place of another.
    ApiKeyRotated,
}

impl AuditKind {
    /// Every kind.
    pub const ALL: [AuditKind; 37] = [
        AuditKind::AccountCreated,
        AuditKind::AccountDeleted,
        AuditKind::AccountDisabled,
        AuditKind::AccountEnabled,
        AuditKind::RolesChanged,
        AuditKind::LoggedIn,
        AuditKind::LoginFailed,
        AuditKind::LoginRefused,
        AuditKind::LoggedOut,
        AuditKind::Confirmed,
        AuditKind::ConfirmFailed,
        AuditKind::SessionEnded,
        AuditKind::SessionsEnded,
        AuditKind::ReuseDetected,
        AuditKind::PasswordChanged,
        AuditKind::PasswordReset,
        AuditKind::EmailVerified,
        AuditKind::EmailChanged,
        AuditKind::EmailChangeUndone,
        AuditKind::EmailReleased,
        AuditKind::UsernameChanged,
        AuditKind::TotpEnabled,
        AuditKind::TotpDisabled,
        AuditKind::SecondFactorFailed,
        AuditKind::SecondFactorMissing,
        AuditKind::RecoveryCodesCreated,
        AuditKind::RecoveryCodeUsed,
        AuditKind::DeviceTrusted,
        AuditKind::PasskeyAdded,
        AuditKind::PasskeyRenamed,
        AuditKind::PasskeyRemoved,
        AuditKind::PasskeyCloned,
        AuditKind::DataExported,
        AuditKind::DetailsChanged,
        AuditKind::ApiKeyCreated,
        AuditKind::ApiKeyRevoked,
        AuditKind::ApiKeyRotated,
    ];

    /// The name in the database and in exports: never changes.
    pub const fn as_str(self) -> &'static str {
        match self {
            AuditKind::AccountCreated => "account_created",
            AuditKind::AccountDeleted => "account_deleted",
            AuditKind::AccountDisabled => "account_disabled",
            AuditKind::AccountEnabled => "account_enabled",
            AuditKind::RolesChanged => "roles_changed",
            AuditKind::LoggedIn => "signed_in",
            AuditKind::LoginFailed => "sign_in_failed",
            AuditKind::LoginRefused => "sign_in_refused",
            AuditKind::LoggedOut => "signed_out",
            AuditKind::Confirmed => "confirmed",
            AuditKind::ConfirmFailed => "confirm_failed",
            AuditKind::SessionEnded => "session_ended",
            AuditKind::SessionsEnded => "sessions_ended",
            AuditKind::ReuseDetected => "reuse_detected",
            AuditKind::PasswordChanged => "password_changed",
            AuditKind::PasswordReset => "password_reset",
            AuditKind::EmailVerified => "email_verified",
            AuditKind::EmailChanged => "email_changed",
            AuditKind::EmailChangeUndone => "email_change_undone",
            AuditKind::EmailReleased => "email_released",
            AuditKind::UsernameChanged => "username_changed",
            AuditKind::TotpEnabled => "totp_enabled",
            AuditKind::TotpDisabled => "totp_disabled",
            AuditKind::SecondFactorFailed => "second_factor_failed",
            AuditKind::SecondFactorMissing => "second_factor_missing",
            AuditKind::RecoveryCodesCreated => "recovery_codes_made",
            AuditKind::RecoveryCodeUsed => "recovery_code_used",
            AuditKind::DeviceTrusted => "device_remembered",
            AuditKind::PasskeyAdded => "passkey_added",
            AuditKind::PasskeyRenamed => "passkey_renamed",
            AuditKind::PasskeyRemoved => "passkey_removed",
            AuditKind::PasskeyCloned => "passkey_copied",
            AuditKind::DataExported => "data_exported",
            AuditKind::DetailsChanged => "details_changed",
            AuditKind::ApiKeyCreated => "api_key_created",
            AuditKind::ApiKeyRevoked => "api_key_revoked",
            AuditKind::ApiKeyRotated => "api_key_rotated",
        }
    }

    /// Reads the name in the database.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}
