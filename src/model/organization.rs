//! Kinds of organizations, roles of members, states of invitations.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The kind of an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OrganizationKind {
    /// Of a single user; never has other members.
    Personal,
    /// Shared by a team.
    Team,
}

impl OrganizationKind {
    /// The name on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            OrganizationKind::Personal => "personal",
            OrganizationKind::Team => "team",
        }
    }

    /// Reads the name on the wire and in the database.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Personal, Self::Team].into_iter().find(|kind| kind.as_str() == name)
    }
}

/// The role of a member; a higher role includes the permissions of the lower ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MemberRole {
    /// See the members, leave.
    Member,
    /// Rename, invite, and change or remove members below owner.
    Admin,
    /// Everything.
    Owner,
}

impl MemberRole {
    /// The name on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            MemberRole::Member => "member",
            MemberRole::Admin => "admin",
            MemberRole::Owner => "owner",
        }
    }

    /// Reads the name on the wire and in the database.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Member, Self::Admin, Self::Owner].into_iter().find(|role| role.as_str() == name)
    }
}

/// The state of an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum InvitationState {
    /// It can be accepted.
    Pending,
    /// It was accepted.
    Accepted,
    /// A member or an operator revoked it.
    Revoked,
    /// The invited person declined it.
    Declined,
    /// It was not accepted in time.
    Expired,
}

impl InvitationState {
    /// The name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            InvitationState::Pending => "pending",
            InvitationState::Accepted => "accepted",
            InvitationState::Revoked => "revoked",
            InvitationState::Declined => "declined",
            InvitationState::Expired => "expired",
        }
    }

    /// Reads the name in the database.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Pending, Self::Accepted, Self::Revoked, Self::Declined, Self::Expired]
            .into_iter()
            .find(|state| state.as_str() == name)
    }
}
