//! Changes of accounts.

use super::description::{AuditDraft, Described, DraftSession};
use crate::model::audit::AuditKind;
use crate::model::auth_method::{AuthMethod, AuthMethods};
use crate::model::event::Event;
use crate::model::ids::{SessionId, UserId};
use crate::model::provider::ProviderName;
use crate::model::roles::{PlatformRole, Roles};

/// A change of an account, or what its user did.
#[derive(Clone, Copy, Debug)]
pub enum AccountChange<'a> {
    Created,
    Deleted,
    Disabled,
    Enabled,
    /// What refused its logins was taken back.
    Unlocked,
    RolesChanged(Roles),
    UsernameChanged {
        from: &'a str,
        to: &'a str,
    },
    EmailChanged,
    /// The same address is spelled otherwise now.
    EmailRespelled,
    /// Link and code to verify the address were mailed for an operator.
    VerificationSent,
    EmailVerified,
    EmailUnverified,
    EmailChangeUndone,
    /// The address went to the person who verified it, and who said that this account is not theirs.
    EmailReleased,
    /// The display name was set or removed.
    NameChanged(Option<&'a str>),
    /// What the application keeps with the account changed: the names of the fields.
    DetailsChanged(&'a [&'static str]),
    PasswordChanged,
    /// A new password was set by a mailed link.
    PasswordReset,
    /// A link to set a password was mailed for an operator or a backend.
    PasswordResetSent,
    /// The user downloaded what is stored about them.
    DataExported,
    /// A session was opened, by these methods.
    LoggedIn(AuthMethods),
    /// A session was opened for development, under this label.
    DevSessionOpened(&'a str),
    /// The password was right, and the second factor is outstanding.
    SecondFactorMissing,
    LoggedOut,
    SessionEnded(SessionId),
    /// Every session, or every other one, was ended.
    SessionsEnded,
    /// A replaced refresh token of a session came back, which ended it.
    ReuseDetected(SessionId),
    /// The user reauthenticated: by or for what; empty for a password.
    Confirmed(&'static str),
    RecoveryCodeUsed,
    DeviceTrusted,
    RecoveryCodesCreated,
    TotpEnabled,
    TotpDisabled,
    PasskeyAdded(&'a str),
    PasskeyRenamed(&'a str),
    /// A passkey of this name was removed; without a name, all of them.
    PasskeyRemoved(Option<&'a str>),
    IdentityConnected {
        provider: &'a ProviderName,
        issuer: &'a str,
    },
    /// An account at a provider was disconnected.
    IdentityRemoved {
        /// The provider by which it was last seen.
        provider: &'a ProviderName,
        issuer: &'a str,
    },
}

impl AccountChange<'_> {
    /// Whether it makes the account more than one for development: a person, or an operator, has given it a way in or a
    /// role of its own.
    pub const fn ends_development(&self) -> bool {
        matches!(
            self,
            AccountChange::PasswordChanged
                | AccountChange::PasswordReset
                | AccountChange::TotpEnabled
                | AccountChange::PasskeyAdded(_)
                | AccountChange::IdentityConnected { .. }
                | AccountChange::RolesChanged(_)
        )
    }

    pub(super) fn described(self, user: UserId) -> Described {
        let entry = |kind, line| AuditDraft::new(kind, line).subject(user);
        let alone = |kind, line| Described::entry(entry(kind, line));
        let updated = |entry| Described::entry(entry).and_event(Event::UserUpdated { user_id: user });
        match self {
            AccountChange::Created => {
                alone(AuditKind::AccountCreated, "account created").and_event(Event::UserCreated { user_id: user })
            }
            AccountChange::Deleted => {
                alone(AuditKind::AccountDeleted, "account deleted").and_event(Event::UserDeleted { user_id: user })
            }
            AccountChange::Disabled => updated(entry(AuditKind::AccountDisabled, "account disabled")),
            AccountChange::Enabled => updated(entry(AuditKind::AccountEnabled, "account enabled")),
            AccountChange::Unlocked => alone(AuditKind::AccountUnlocked, "account unlocked"),
            AccountChange::RolesChanged(roles) => {
                let names: Vec<&str> = roles.iter().map(PlatformRole::as_str).collect();
                let entry = entry(AuditKind::RolesChanged, "platform roles changed");
                updated(entry.detail(roles.to_text()).field("roles", names))
            }
            AccountChange::UsernameChanged { from, to } => {
                let entry = entry(AuditKind::UsernameChanged, "username changed");
                updated(entry.detail(format!("{from} → {to}")).field("from", from).field("to", to))
            }
            AccountChange::NameChanged(name) => {
                let entry = entry(AuditKind::NameChanged, "display name changed");
                updated(entry.detail(name.unwrap_or_default()).field("name", name))
            }
            AccountChange::EmailChanged => updated(entry(AuditKind::EmailChanged, "email address changed")),
            AccountChange::EmailRespelled => Described::events([Event::UserUpdated { user_id: user }]),
            AccountChange::VerificationSent => alone(AuditKind::VerificationSent, "verification email sent"),
            AccountChange::EmailVerified => alone(AuditKind::EmailVerified, "email address verified"),
            AccountChange::EmailUnverified => {
                let entry = entry(AuditKind::DetailsChanged, "email address no longer verified");
                Described::entry(entry.detail("email_verified: false").field("email_verified", false))
            }
            AccountChange::EmailChangeUndone => {
                let entry = entry(AuditKind::EmailChangeUndone, "a change of email address was undone");
                updated(AuditDraft { is_warning: true, ..entry })
            }
            AccountChange::EmailReleased => {
                let entry = entry(AuditKind::EmailReleased, "an unverified email address went to a new account");
                updated(AuditDraft { discloses_actor: false, ..entry })
            }
            AccountChange::DetailsChanged(names) => {
                let entry = entry(AuditKind::DetailsChanged, "details changed");
                updated(entry.detail(names.join(",")).field("changed", names.to_vec()))
            }
            AccountChange::PasswordChanged => alone(AuditKind::PasswordChanged, "password changed"),
            AccountChange::PasswordReset => alone(AuditKind::PasswordReset, "password reset by a mailed link"),
            AccountChange::PasswordResetSent => alone(AuditKind::PasswordResetSent, "password reset link sent"),
            AccountChange::DataExported => alone(AuditKind::DataExported, "data exported"),
            AccountChange::LoggedIn(methods) => {
                Described::entry(of_login(entry(AuditKind::LoggedIn, "logged in"), methods))
            }
            AccountChange::DevSessionOpened(label) => {
                let entry = entry(AuditKind::LoggedIn, "development session opened");
                Described::entry(entry.detail(label).field("label", label))
            }
            AccountChange::SecondFactorMissing => alone(AuditKind::SecondFactorMissing, "second factor required"),
            AccountChange::LoggedOut => alone(AuditKind::LoggedOut, "logged out"),
            AccountChange::SessionEnded(session) => {
                let entry = entry(AuditKind::SessionEnded, "session ended");
                Described::entry(AuditDraft { session: DraftSession::About(session), ..entry })
            }
            AccountChange::SessionsEnded => alone(AuditKind::SessionsEnded, "sessions ended"),
            AccountChange::ReuseDetected(session) => {
                let entry =
                    entry(AuditKind::ReuseDetected, "a replaced refresh token came back: the session was ended");
                Described::entry(AuditDraft { session: DraftSession::About(session), is_warning: true, ..entry })
            }
            AccountChange::Confirmed(what) => {
                let entry = entry(AuditKind::Confirmed, "reauthenticated").detail(what);
                Described::entry(if what.is_empty() { entry } else { entry.field("what", what) })
            }
            AccountChange::RecoveryCodeUsed => alone(AuditKind::RecoveryCodeUsed, "recovery code used"),
            AccountChange::DeviceTrusted => alone(AuditKind::DeviceTrusted, "device trusted"),
            AccountChange::RecoveryCodesCreated => alone(AuditKind::RecoveryCodesCreated, "recovery codes replaced"),
            AccountChange::TotpEnabled => alone(AuditKind::TotpEnabled, "two-factor authentication is on"),
            AccountChange::TotpDisabled => alone(AuditKind::TotpDisabled, "two-factor authentication is off"),
            AccountChange::PasskeyAdded(name) => {
                Described::entry(named(entry(AuditKind::PasskeyAdded, "passkey added"), name))
            }
            AccountChange::PasskeyRenamed(name) => {
                Described::entry(named(entry(AuditKind::PasskeyRenamed, "passkey renamed"), name))
            }
            AccountChange::PasskeyRemoved(name) => {
                let entry = entry(AuditKind::PasskeyRemoved, "passkey removed");
                Described::entry(match name {
                    Some(name) => named(entry, name),
                    None => entry,
                })
            }
            AccountChange::IdentityConnected { provider, issuer } => {
                let entry = entry(AuditKind::IdentityConnected, "account at a provider connected");
                Described::entry(of_identity(entry, provider, issuer))
            }
            AccountChange::IdentityRemoved { provider, issuer } => {
                let entry = entry(AuditKind::IdentityRemoved, "account at a provider disconnected");
                Described::entry(of_identity(entry, provider, issuer))
            }
        }
    }
}

fn named(entry: AuditDraft, name: &str) -> AuditDraft {
    entry.detail(name).field("name", name)
}

fn of_login(entry: AuditDraft, methods: AuthMethods) -> AuditDraft {
    let names: Vec<&str> = methods.iter().map(AuthMethod::as_str).collect();
    entry.detail(detail_of_login(methods)).field("methods", names)
}

fn of_identity(entry: AuditDraft, provider: &ProviderName, issuer: &str) -> AuditDraft {
    entry.detail(provider.as_str()).field("provider", provider.as_str()).field("issuer", issuer)
}

/// As versions before 0.4.0 wrote it, and read it back to tell a login with two factors.
const fn detail_of_login(methods: AuthMethods) -> &'static str {
    if methods.contains(AuthMethod::Passkey) {
        "passkey"
    } else if methods.has_code() {
        "second factor"
    } else {
        ""
    }
}
