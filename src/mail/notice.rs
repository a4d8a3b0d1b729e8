//! Notices: emails that say what has happened to an account. They are not urgent.

use crate::crypto::parts_hash::name_uuid;
use crate::model::ids::UserId;
use crate::model::names::names;
use crate::rate_limit::NoticeWeight;
use uuid::Uuid;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    PasswordChanged,
    /// An operator or an application gave it another email address; told to the old one.
    EmailReplaced,
    LoginMethodAdded(LoginMethod),
    LoginMethodRemoved(LoginMethod),
    /// An account at a provider was connected, which logs in from now on.
    ProviderConnected,
    /// An account at a provider was disconnected.
    ProviderDisconnected,
    AccountDisabled,
    AccountEnabled,
    SessionsEnded,
    RoleChanged,
    AccountDeleted,
    /// It was deleted, and an operator brought it back from a backup.
    AccountRecovered,
}

names! {
    /// What an administrator did to an account that has a platform role, as all administrators are told. The names are those
    /// that the messages choose by.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum AdminNotice {
        Disabled = "disabled",
        Enabled = "enabled",
        RoleChanged = "role",
        /// Its email address was changed, or whether that is verified.
        EmailChanged = "email",
        /// Its username, name or details were changed.
        Renamed = "renamed",
        SessionsEnded = "sessions",
        /// Its second factors and passkeys were removed.
        FactorsReset = "factors",
        /// An account at a provider was disconnected from it.
        IdentityRemoved = "identity",
        Deleted = "deleted",
    }
}

/// The kind of the mails about a changed role, to the account's person and to administrators.
pub(super) const ROLE_CHANGED: &str = "role-changed";

names! {
    /// A login method or second factor, besides the password.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum LoginMethod {
        Passkey = "passkey",
        AuthenticatorApp = "authenticator app",
        RecoveryCodes = "recovery codes",
    }
}

impl Notice {
    /// The name of the kind, as it is stored and shown.
    pub(super) const fn kind(self) -> &'static str {
        match self {
            Notice::PasswordChanged => "password-changed",
            Notice::EmailReplaced => "email-replaced",
            Notice::LoginMethodAdded(_) => "sign-in-method-added",
            Notice::LoginMethodRemoved(_) => "sign-in-method-removed",
            Notice::ProviderConnected => "provider-connected",
            Notice::ProviderDisconnected => "provider-disconnected",
            Notice::AccountDisabled => "account-disabled",
            Notice::AccountEnabled => "account-enabled",
            Notice::SessionsEnded => "sessions-ended",
            Notice::RoleChanged => ROLE_CHANGED,
            Notice::AccountDeleted => "account-deleted",
            Notice::AccountRecovered => "account-recovered",
        }
    }

    /// Identifies what the notice says of this account: of its kind, those about different methods differ.
    pub(super) fn about(self, user: UserId) -> Uuid {
        let method = match self {
            Notice::PasswordChanged
            | Notice::EmailReplaced
            | Notice::ProviderConnected
            | Notice::ProviderDisconnected
            | Notice::AccountDisabled
            | Notice::AccountEnabled
            | Notice::SessionsEnded
            | Notice::RoleChanged
            | Notice::AccountDeleted
            | Notice::AccountRecovered => "",
            Notice::LoginMethodAdded(method) | Notice::LoginMethodRemoved(method) => method.as_str(),
        };
        name_uuid(&[b"notice", user.0.as_bytes(), method.as_bytes()])
    }

    /// What the rate limit of the account counts it as. An account is deleted once, and what administrators and operators do
    /// is no stranger's choice; those of one address are limited together.
    pub(super) const fn weight(self) -> Option<NoticeWeight> {
        match self {
            Notice::LoginMethodAdded(_) | Notice::ProviderConnected => Some(NoticeWeight::Addition),
            Notice::PasswordChanged
            | Notice::EmailReplaced
            | Notice::ProviderDisconnected
            | Notice::LoginMethodRemoved(_) => Some(NoticeWeight::Loss),
            Notice::AccountDisabled
            | Notice::AccountEnabled
            | Notice::SessionsEnded
            | Notice::RoleChanged
            | Notice::AccountDeleted
            | Notice::AccountRecovered => None,
        }
    }
}

/// Identifies what an administrator is told of an account.
pub(super) fn about_admin_notice(notice: AdminNotice, account: UserId, administrator: UserId) -> Uuid {
    name_uuid(&[b"deed", account.0.as_bytes(), administrator.0.as_bytes(), notice.as_str().as_bytes()])
}

#[cfg(test)]
#[path = "notice_tests.rs"]
mod tests;
