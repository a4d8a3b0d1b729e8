//! What organizations, memberships and invitations are like.

use serde::Serialize;

/// What an organization is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OrganizationKind {
    /// One person's own; never has other members.
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

/// What a member may do in an organization; a greater role may all that a lesser one may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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

/// What has become of an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum InvitationState {
    /// It can be accepted.
    Pending,
    /// It was.
    Accepted,
    /// A member or an operator took it back.
    Revoked,
    /// The invited did not want it.
    Declined,
    /// Its time is over.
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
