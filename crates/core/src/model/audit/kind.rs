//! The kinds of entries.

use crate::model::names::names;

names! {
    /// An action or a failed attempt that is recorded.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum AuditKind {
        AccountCreated = "account_created",
        AccountDeleted = "account_deleted",
        AccountDisabled = "account_disabled",
        AccountEnabled = "account_enabled",
        /// What refused its logins was taken back.
        AccountUnlocked = "account_unlocked",
        RolesChanged = "roles_changed",
        LoggedIn = "signed_in",
        LoginFailed = "sign_in_failed",
        /// The password was right, but the account is disabled.
        LoginRefused = "sign_in_refused",
        /// A limit refused a login, before anything was checked.
        LoginLimited = "sign_in_limited",
        LoggedOut = "signed_out",
        /// The user reauthenticated, before a sensitive change.
        Confirmed = "confirmed",
        ConfirmFailed = "confirm_failed",
        SessionEnded = "session_ended",
        /// Every other session was ended.
        SessionsEnded = "sessions_ended",
        /// A replaced refresh token came back, and the session was ended.
        ReuseDetected = "reuse_detected",
        PasswordChanged = "password_changed",
        PasswordReset = "password_reset",
        /// A backend had a link to reset the password mailed.
        PasswordResetSent = "password_reset_sent",
        /// An operator had link and code to verify the address mailed.
        VerificationSent = "verification_sent",
        EmailVerified = "email_verified",
        EmailChanged = "email_changed",
        EmailChangeUndone = "email_change_undone",
        /// The person who verified the address said that the account is not theirs.
        EmailReleased = "email_released",
        UsernameChanged = "username_changed",
        NameChanged = "name_changed",
        TotpEnabled = "totp_enabled",
        TotpDisabled = "totp_disabled",
        SecondFactorFailed = "second_factor_failed",
        /// The password was right, and the second factor is outstanding: a pending login began.
        SecondFactorMissing = "second_factor_missing",
        RecoveryCodesCreated = "recovery_codes_made",
        RecoveryCodeUsed = "recovery_code_used",
        DeviceTrusted = "device_remembered",
        PasskeyAdded = "passkey_added",
        PasskeyRenamed = "passkey_renamed",
        PasskeyRemoved = "passkey_removed",
        /// A passkey was refused, as its signature counter did not grow (a clone).
        PasskeyCloned = "passkey_copied",
        /// An account at a provider was connected, which logs in from now on.
        IdentityConnected = "identity_connected",
        IdentityRemoved = "identity_removed",
        /// A login with a provider came back, or could not begin, and was refused.
        ProviderRefused = "provider_refused",
        DataExported = "data_exported",
        /// The application's own id and object of an account.
        DetailsChanged = "details_changed",
        ApiKeyCreated = "api_key_created",
        ApiKeyRevoked = "api_key_revoked",
        /// A key of the same name and scopes takes the place of another.
        ApiKeyRotated = "api_key_rotated",
        /// Wrong, revoked, expired, or used from a network that it is not bound to.
        ApiKeyRefused = "api_key_refused",
        ProviderAdded = "provider_added",
        ProviderChanged = "provider_changed",
        ProviderRemoved = "provider_removed",
        OrganizationCreated = "organization_created",
        OrganizationRenamed = "organization_renamed",
        OrganizationDeleted = "organization_deleted",
        MemberAdded = "member_added",
        MemberRoleChanged = "member_role_changed",
        MemberRemoved = "member_removed",
        InvitationCreated = "invitation_created",
        InvitationResent = "invitation_resent",
        InvitationRevoked = "invitation_revoked",
        /// Entries of the audit log were downloaded.
        AuditExported = "audit_exported",
        /// Webhooks that failed in a span of time are sent again.
        DeliveriesReplayed = "deliveries_replayed",
        /// A change at the pages of administrators was refused for the account's roles.
        AdminRefused = "admin_refused",
    }
}

impl AuditKind {
    /// What is not about who can log in to an account: what it is called, and its organizations.
    pub const BESIDE_SECURITY: [Self; 17] = [
        Self::UsernameChanged,
        Self::NameChanged,
        Self::DetailsChanged,
        Self::ProviderAdded,
        Self::ProviderChanged,
        Self::ProviderRemoved,
        Self::OrganizationCreated,
        Self::OrganizationRenamed,
        Self::OrganizationDeleted,
        Self::MemberAdded,
        Self::MemberRoleChanged,
        Self::MemberRemoved,
        Self::InvitationCreated,
        Self::InvitationResent,
        Self::InvitationRevoked,
        Self::AuditExported,
        Self::DeliveriesReplayed,
    ];

    /// The attempts to log in, and how they ended.
    pub const OF_LOGINS: [Self; 7] = [
        Self::LoggedIn,
        Self::LoginFailed,
        Self::LoginRefused,
        Self::LoginLimited,
        Self::SecondFactorFailed,
        Self::SecondFactorMissing,
        Self::ProviderRefused,
    ];

    /// What happens to API keys, which belong to no account.
    pub const OF_API_KEYS: [Self; 4] =
        [Self::ApiKeyCreated, Self::ApiKeyRevoked, Self::ApiKeyRotated, Self::ApiKeyRefused];

    /// Whether something was refused or went wrong, so that the person should see it among the rest.
    pub const fn is_failure(self) -> bool {
        matches!(
            self,
            Self::LoginFailed
                | Self::LoginRefused
                | Self::LoginLimited
                | Self::ConfirmFailed
                | Self::ReuseDetected
                | Self::SecondFactorFailed
                | Self::PasskeyCloned
                | Self::ProviderRefused
                | Self::AdminRefused
        )
    }
}
