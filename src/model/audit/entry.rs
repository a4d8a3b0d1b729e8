//! One entry, and who is behind it.

use super::AuditKind;
use crate::model::device::Device;
use crate::model::ids::{SessionId, UserId};

/// Who does something, and from where.
#[derive(Clone, Debug)]
pub struct By {
    actor: Actor,
    session: Option<SessionId>,
    device: Option<Device>,
}

#[derive(Clone, Copy, Debug)]
enum Actor {
    User(UserId),
    Operator,
    Unknown,
}

impl By {
    /// The account's own user, at this device; in a session, if there is one.
    pub fn user(user: UserId, session: Option<SessionId>, device: Device) -> Self {
        Self { actor: Actor::User(user), session, device: Some(device) }
    }

    /// An operator at the command line.
    pub const fn operator() -> Self {
        Self { actor: Actor::Operator, session: None, device: None }
    }

    /// Whoever it may be, at this device.
    pub fn unknown(device: Device) -> Self {
        Self { actor: Actor::Unknown, session: None, device: Some(device) }
    }

    /// The same, about a session.
    #[must_use]
    pub fn about(self, session: SessionId) -> Self {
        Self { session: Some(session), ..self }
    }

    /// The account with which it is done, if it is done with one.
    pub const fn user_id(&self) -> Option<UserId> {
        match self.actor {
            Actor::User(user) => Some(user),
            Actor::Operator | Actor::Unknown => None,
        }
    }

    /// The session in which it is done, or which it is about.
    pub const fn session(&self) -> Option<SessionId> {
        self.session
    }

    /// The name of the kind of actor in the database.
    pub const fn actor_name(&self) -> &'static str {
        match self.actor {
            Actor::User(_) => "user",
            Actor::Operator => "operator",
            Actor::Unknown => "unknown",
        }
    }

    /// The client's address; empty at the command line.
    pub fn address(&self) -> &str {
        self.device.as_ref().map(Device::address).unwrap_or_default()
    }

    /// The browser's description of itself; empty at the command line.
    pub fn user_agent(&self) -> &str {
        self.device.as_ref().map(Device::user_agent).unwrap_or_default()
    }
}

/// An entry to be recorded.
#[derive(Clone, Copy, Debug)]
pub struct AuditEntry<'a> {
    /// What happens.
    pub kind: AuditKind,
    /// To whose account; `None` for a try at an account that does not exist.
    pub user: Option<UserId>,
    /// Who does it.
    pub by: &'a By,
    /// What the kind alone does not say, such as a new username; never a secret.
    pub detail: &'a str,
}

impl<'a> AuditEntry<'a> {
    /// Something that happens to an account.
    pub const fn new(kind: AuditKind, user: UserId, by: &'a By) -> Self {
        Self { kind, user: Some(user), by, detail: "" }
    }

    /// The same, with what the kind alone does not say.
    #[must_use]
    pub const fn with_detail(self, detail: &'a str) -> Self {
        Self { detail, ..self }
    }
}
