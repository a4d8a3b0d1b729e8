//! Kinds of organizations, roles of members, states of invitations.

use super::names::names;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

names! {
    /// The kind of an organization.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum OrganizationKind {
        /// Of a single user; never has other members.
        Personal = "personal",
        /// Shared by a team.
        Team = "team",
    }
}

names! {
    /// The role of a member; a higher role includes the permissions of the lower ones.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum MemberRole {
        /// See the members, leave.
        Member = "member",
        /// Rename, invite, and change or remove members below owner.
        Admin = "admin",
        /// Everything.
        Owner = "owner",
    }
}

names! {
    /// The state of an invitation.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum InvitationState {
        /// It can be accepted.
        Pending = "pending",
        /// It was accepted.
        Accepted = "accepted",
        /// A member or an operator revoked it.
        Revoked = "revoked",
        /// The invited person declined it.
        Declined = "declined",
        /// It was not accepted in time.
        Expired = "expired",
    }
}
