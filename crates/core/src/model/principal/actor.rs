//! Who acts, as the audit log names it: an identity, which permits nothing.

use super::reason::Reason;
use crate::model::api_key::ApiKeyName;
use crate::model::device::Device;
use crate::model::ids::{SessionId, UserId};
use std::borrow::Cow;

/// The actor of an entry in the audit log, with session and device.
#[derive(Clone, Debug)]
pub struct Actor {
    identity: Identity,
    session: Option<SessionId>,
    device: Option<Device>,
    reason: Option<Reason>,
}

#[derive(Clone, Debug)]
enum Identity {
    User(UserId),
    Operator,
    ApiKey(ApiKeyName),
    Unknown,
}

impl Actor {
    /// A user, on this device; in a session, if there is one.
    pub fn user(user: UserId, session: Option<SessionId>, device: Device) -> Self {
        Self { identity: Identity::User(user), session, device: Some(device), reason: None }
    }

    pub const fn operator() -> Self {
        Self { identity: Identity::Operator, session: None, device: None, reason: None }
    }

    /// An application's backend with an API key; the account's user must not learn where it runs.
    pub const fn api_key(name: ApiKeyName) -> Self {
        Self { identity: Identity::ApiKey(name), session: None, device: None, reason: None }
    }

    pub fn unknown(device: Device) -> Self {
        Self { identity: Identity::Unknown, session: None, device: Some(device), reason: None }
    }

    /// An actor whose identity and device the account's user must not learn: another person, or the process.
    pub const fn undisclosed() -> Self {
        Self { identity: Identity::Unknown, session: None, device: None, reason: None }
    }

    pub(super) fn because(&self, reason: Reason) -> Self {
        Self { reason: Some(reason), ..self.clone() }
    }

    /// Why they act, if they said so.
    pub const fn reason(&self) -> Option<&Reason> {
        self.reason.as_ref()
    }

    /// The acting user, if it is one.
    pub const fn user_id(&self) -> Option<UserId> {
        match self.identity {
            Identity::User(user) => Some(user),
            Identity::Operator | Identity::ApiKey(_) | Identity::Unknown => None,
        }
    }

    /// Where the actor is, if that is known.
    pub const fn device(&self) -> Option<&Device> {
        self.device.as_ref()
    }

    pub const fn session(&self) -> Option<SessionId> {
        self.session
    }

    /// The name of the kind of actor in the database; of an API key `key:` and its name.
    pub fn actor_name(&self) -> Cow<'static, str> {
        match &self.identity {
            Identity::User(_) => Cow::Borrowed("user"),
            Identity::Operator => Cow::Borrowed("operator"),
            Identity::ApiKey(name) => Cow::Owned(format!("key:{}", name.as_str())),
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
