//! The lifecycle events that are sent to the application, and their wire form (docs/reference/webhooks.md 12).

use super::ids::{EventId, InvitationId, OrganizationId, UserId};
use super::metadata::Metadata;
use super::names::names;
use super::organization::{MemberRole, OrganizationKind};
use super::time::Time;
use serde::Serialize;
use std::fmt;

names! {
    /// A kind of event: the value of `type` and of the `X-Svc-Event` header.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(u8)]
    pub enum EventKind {
        UserCreated = "user.created",
        UserUpdated = "user.updated",
        UserDeleted = "user.deleted",
        OrganizationCreated = "organization.created",
        OrganizationUpdated = "organization.updated",
        OrganizationDeleted = "organization.deleted",
        MembershipCreated = "organization.membership.created",
        MembershipUpdated = "organization.membership.updated",
        MembershipDeleted = "organization.membership.deleted",
        InvitationCreated = "organization.invitation.created",
        InvitationAccepted = "organization.invitation.accepted",
        InvitationRevoked = "organization.invitation.revoked",
    }
}

/// The `type` of a test event; not one of the kinds that an action can cause.
pub const PING: &str = "ping";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventKinds(u16);

impl EventKinds {
    pub const ALL: EventKinds = EventKinds((1 << EventKind::ALL.len()) - 1);
    pub const NONE: EventKinds = EventKinds(0);

    /// The names on the wire, with commas.
    pub fn to_text(self) -> String {
        let names = EventKind::ALL.into_iter().filter(|kind| self.contains(*kind)).map(EventKind::as_str);
        names.collect::<Vec<_>>().join(",")
    }

    /// Reads [`EventKinds::to_text`]; a kind that only another version knows is left out.
    pub fn parse_text(text: &str) -> Self {
        text.split(',').filter_map(EventKind::parse).fold(Self::NONE, Self::with)
    }

    #[must_use]
    pub const fn with(self, kind: EventKind) -> Self {
        EventKinds(self.0 | 1 << kind as u8)
    }

    pub const fn contains(self, kind: EventKind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Event {
    UserCreated {
        user_id: UserId,
    },
    UserUpdated {
        user_id: UserId,
    },
    UserDeleted {
        user_id: UserId,
    },
    OrganizationCreated(OrganizationData),
    OrganizationUpdated(OrganizationData),
    OrganizationDeleted(OrganizationData),
    MembershipCreated {
        organization_id: OrganizationId,
        user_id: UserId,
        role: MemberRole,
        is_initial_membership: bool,
        invitation_id: Option<InvitationId>,
        metadata: Metadata,
    },
    MembershipUpdated(MembershipData),
    MembershipDeleted(MembershipData),
    InvitationCreated {
        #[serde(flatten)]
        invitation: InvitationData,
        invited_by_user_id: Option<UserId>,
        expires_at: Time,
    },
    InvitationAccepted {
        #[serde(flatten)]
        invitation: InvitationData,
        accepted_by_user_id: UserId,
        accepted_at: Time,
    },
    InvitationRevoked {
        #[serde(flatten)]
        invitation: InvitationData,
        revoked_by_user_id: Option<UserId>,
        revoked_at: Time,
    },
}

#[derive(Clone, Debug, Serialize)]
pub struct InvitationData {
    pub invitation_id: InvitationId,
    pub organization_id: OrganizationId,
    pub email: String,
    pub role: MemberRole,
    pub metadata: Metadata,
}

#[derive(Clone, Debug, Serialize)]
pub struct OrganizationData {
    pub organization_id: OrganizationId,
    pub name: String,
    pub kind: OrganizationKind,
    pub created_by_user_id: Option<UserId>,
}

#[derive(Clone, Debug, Serialize)]
pub struct MembershipData {
    pub organization_id: OrganizationId,
    pub user_id: UserId,
    pub role: MemberRole,
}

/// Of whom or what an event tells: the events of one subject are sent in their order, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventSubject {
    User(UserId),
    /// An organization, with its members and invitations.
    Organization(OrganizationId),
}

impl fmt::Display for EventSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EventSubject::User(id) => write!(f, "user:{id}"),
            EventSubject::Organization(id) => write!(f, "organization:{id}"),
        }
    }
}

impl Event {
    pub fn subject(&self) -> EventSubject {
        EventSubject::Organization(match self {
            Event::UserCreated { user_id } | Event::UserUpdated { user_id } | Event::UserDeleted { user_id } => {
                return EventSubject::User(*user_id);
            }
            Event::OrganizationCreated(data) | Event::OrganizationUpdated(data) | Event::OrganizationDeleted(data) => {
                data.organization_id
            }
            Event::MembershipCreated { organization_id, .. } => *organization_id,
            Event::MembershipUpdated(data) | Event::MembershipDeleted(data) => data.organization_id,
            Event::InvitationCreated { invitation, .. }
            | Event::InvitationAccepted { invitation, .. }
            | Event::InvitationRevoked { invitation, .. } => invitation.organization_id,
        })
    }

    pub fn kind(&self) -> EventKind {
        match self {
            Event::UserCreated { .. } => EventKind::UserCreated,
            Event::UserUpdated { .. } => EventKind::UserUpdated,
            Event::UserDeleted { .. } => EventKind::UserDeleted,
            Event::OrganizationCreated(_) => EventKind::OrganizationCreated,
            Event::OrganizationUpdated(_) => EventKind::OrganizationUpdated,
            Event::OrganizationDeleted(_) => EventKind::OrganizationDeleted,
            Event::MembershipCreated { .. } => EventKind::MembershipCreated,
            Event::MembershipUpdated(_) => EventKind::MembershipUpdated,
            Event::MembershipDeleted(_) => EventKind::MembershipDeleted,
            Event::InvitationCreated { .. } => EventKind::InvitationCreated,
            Event::InvitationAccepted { .. } => EventKind::InvitationAccepted,
            Event::InvitationRevoked { .. } => EventKind::InvitationRevoked,
        }
    }

    /// The envelope: the exact bytes that are stored, signed and sent at every attempt.
    pub fn envelope(&self, id: EventId, created_at: Time) -> serde_json::Result<Vec<u8>> {
        #[derive(Serialize)]
        struct Envelope<'a> {
            id: String,
            r#type: &'static str,
            created_at: Time,
            data: &'a Event,
        }
        serde_json::to_vec(&Envelope { id: id.wire(), r#type: self.kind().as_str(), created_at, data: self })
    }
}
