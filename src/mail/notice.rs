//! Notices: emails that say what has happened to an account. They are not urgent.

use crate::crypto::name_uuid;
use crate::model::ids::UserId;
use crate::model::names::names;
use crate::rate_limit::NoticeWeight;
use uuid::Uuid;

/// What has happened to an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Its password was changed.
    PasswordChanged,
    /// An operator or an application gave it another email address; told to the old one.
    EmailReplaced,
    /// A login method was added.
    LoginMethodAdded(LoginMethod),
    /// A login method was removed.
    LoginMethodRemoved(LoginMethod),
    /// An account at a provider was connected, which logs in from now on.
    ProviderConnected,
    /// An account at a provider was disconnected.
    ProviderDisconnected,
    /// It was deleted.
    AccountDeleted,
}

names! {
    /// A login method or second factor, besides the password.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum LoginMethod {
        /// A passkey.
        Passkey = "passkey",
        /// One-time codes of an authenticator app.
        AuthenticatorApp = "authenticator app",
        /// A set of recovery codes.
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
            Notice::AccountDeleted => "account-deleted",
        }
    }

    /// Identifies what the notice says of this account: of its kind, those about different methods differ.
    pub(super) fn about(self, user: UserId) -> Uuid {
        let method = match self {
            Notice::PasswordChanged
            | Notice::EmailReplaced
            | Notice::ProviderConnected
            | Notice::ProviderDisconnected
            | Notice::AccountDeleted => "",
            Notice::LoginMethodAdded(method) | Notice::LoginMethodRemoved(method) => method.as_str(),
        };
        name_uuid::of(&[b"notice", user.0.as_bytes(), method.as_bytes()])
    }

    /// What the rate limit of the account counts it as. An account is deleted once; those of one address are limited
    /// together.
    pub(super) const fn weight(self) -> Option<NoticeWeight> {
        match self {
            Notice::LoginMethodAdded(_) | Notice::ProviderConnected => Some(NoticeWeight::Addition),
            Notice::PasswordChanged
            | Notice::EmailReplaced
            | Notice::ProviderDisconnected
            | Notice::LoginMethodRemoved(_) => Some(NoticeWeight::Loss),
            Notice::AccountDeleted => None,
        }
    }
}

#[cfg(test)]
#[path = "notice_tests.rs"]
mod tests;
