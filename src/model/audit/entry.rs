//! An entry, and its actor.

use super::AuditKind;
use crate::model::api_key::ApiKeyName;
use crate::model::device::Device;
use crate::model::ids::{SessionId, UserId};
use crate::model::roles::Roles;
use std::borrow::Cow;

/// The actor of an entry, with session and device.
#[derive(Clone, Debug)]
pub struct Actor {
    identity: Identity,
    session: Option<SessionId>,
    device: Option<Device>,
}

#[derive(Clone, Debug)]
enum Identity {
    User(UserId),
    Operator,
    ApiKey { name: ApiKeyName, may_change_administrators: bool },
    Unknown,
}

impl Actor {
    /// A user, on this device; in a session, if there is one.
    pub fn user(user: UserId, session: Option<SessionId>, device: Device) -> Self {
        Self { identity: Identity::User(user), session, device: Some(device) }
    }

    /// An operator at the command line.
    pub const fn operator() -> Self {
        Self { identity: Identity::Operator, session: None, device: None }
    }

    /// An application's backend with an API key; the account's user must not learn where it runs.
    pub const fn api_key(name: ApiKeyName, may_change_administrators: bool) -> Self {
        Self { identity: Identity::ApiKey { name, may_change_administrators }, session: None, device: None }
    }

    /// Whether an account with these platform roles may be changed: a backend needs a scope for those who have any.
    pub const fn may_change(&self, roles: Roles) -> bool {
        roles.is_empty() || self.may_change_everybody()
    }

    /// Whether every account may be changed, whatever platform roles it has.
    pub const fn may_change_everybody(&self) -> bool {
        match self.identity {
            Identity::ApiKey { may_change_administrators, .. } => may_change_administrators,
            Identity::User(_) | Identity::Operator | Identity::Unknown => true,
        }
    }

    /// An unauthenticated client, on this device.
    pub fn unknown(device: Device) -> Self {
        Self { identity: Identity::Unknown, session: None, device: Some(device) }
    }

    /// Someone else, whose device the account's user must not learn.
    pub const fn undisclosed() -> Self {
        Self { identity: Identity::Unknown, session: None, device: None }
    }

    /// The same actor, with another session.
    #[must_use]
    pub fn about(self, session: SessionId) -> Self {
        Self { session: Some(session), ..self }
    }

    /// The acting user, if it is one.
    pub const fn user_id(&self) -> Option<UserId> {
        match self.identity {
            Identity::User(user) => Some(user),
            Identity::Operator | Identity::ApiKey { .. } | Identity::Unknown => None,
        }
    }

    /// The session in which the actor acts, or which the entry is about.
    pub const fn session(&self) -> Option<SessionId> {
        self.session
    }

    /// The name of the kind of actor in the database; of an API key `key:` and its name.
    pub fn actor_name(&self) -> Cow<'static, str> {
        match &self.identity {
            Identity::User(_) => Cow::Borrowed("user"),
            Identity::Operator => Cow::Borrowed("operator"),
            Identity::ApiKey { name, .. } => Cow::Owned(format!("key:{}", name.as_str())),
            Identity::Unknown => Cow::Borrowed("unknown"),
        }
    }

    /// The client's address; empty at the command line.
    pub fn address(&self) -> &str {
        self.device.as_ref().map(Device::address).unwrap_or_default()
    }

    /// The `User-Agent` header; empty at the command line.
    pub fn user_agent(&self) -> &str {
        self.device.as_ref().map(Device::user_agent).unwrap_or_default()
    }
}

/// An entry to be recorded.
#[derive(Clone, Copy, Debug)]
pub struct AuditEntry<'a> {
    /// The kind.
    pub kind: AuditKind,
    /// The affected account; `None` for an attempt at an account that does not exist.
    pub user: Option<UserId>,
    /// The actor.
    pub actor: &'a Actor,
    /// Details beyond the kind, such as a new username; never a secret.
    pub detail: &'a str,
}

impl<'a> AuditEntry<'a> {
    /// An entry about an account.
    pub const fn new(kind: AuditKind, user: UserId, actor: &'a Actor) -> Self {
        Self { kind, user: Some(user), actor, detail: "" }
    }

    /// The same, with details.
    #[must_use]
    pub const fn with_detail(self, detail: &'a str) -> Self {
        Self { detail, ..self }
    }
}
