//! Who may do what.

use super::refusal::{OrganizationError, Refusal};
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::store::{OrganizationRow, Tx};

/// Who does something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// An operator on the command line, who may do what an owner may.
    Operator,
    /// A member, with the role that the database has at this moment.
    User(UserId),
}

impl Actor {
    /// The user, if it is one.
    pub const fn user(self) -> Option<UserId> {
        match self {
            Actor::Operator => None,
            Actor::User(user) => Some(user),
        }
    }
}

/// An organization, and what the one who looks or acts is there.
pub struct Seen {
    /// The organization.
    pub organization: OrganizationRow,
    /// The role in it.
    pub role: MemberRole,
}

/// Locks an organization for someone who must have at least a role there.
pub(super) async fn lock(
    tx: &mut Tx,
    org: OrganizationId,
    actor: Actor,
    least: MemberRole,
) -> Result<Seen, OrganizationError> {
    let not_found = OrganizationError::NotFound("organization");
    let Some(organization) = tx.organization_lock(org).await? else { return Err(not_found) };
    let role = match actor {
        Actor::Operator => MemberRole::Owner,
        // To those who are not in it, an organization does not exist.
        Actor::User(user) => tx.member_role(org, user).await?.ok_or(not_found)?,
    };
    let seen = Seen { organization, role };
    seen.must_have(least)?;
    Ok(seen)
}

impl Seen {
    /// What only those with a role may, and those above it.
    pub fn must_have(&self, least: MemberRole) -> Result<(), Refusal> {
        if self.role < least { Err(Refusal::NotPermitted) } else { Ok(()) }
    }

    /// What a team can do and a personal organization cannot.
    pub fn must_be_team(&self) -> Result<(), Refusal> {
        match self.organization.kind {
            OrganizationKind::Team => Ok(()),
            OrganizationKind::Personal => Err(Refusal::Personal),
        }
    }

    /// Whether the viewer may change or end a membership or invitation with this role.
    pub fn may_change(&self, role: MemberRole) -> Result<(), Refusal> {
        self.must_be_team()?;
        self.must_have(MemberRole::Admin)?;
        self.must_reach(role)
    }

    /// No one grants a role above their own, nor changes who is above them.
    pub fn must_reach(&self, role: MemberRole) -> Result<(), Refusal> {
        if role <= self.role { Ok(()) } else { Err(Refusal::AboveOwnRole) }
    }
}

/// Keeps an owner where there is no other.
pub(super) async fn keep_an_owner(
    tx: &mut Tx,
    org: OrganizationId,
    user: UserId,
    role: MemberRole,
) -> Result<(), OrganizationError> {
    if role == MemberRole::Owner && !tx.member_other_owner_exists(org, user).await? {
        return Err(Refusal::LastOwner.into());
    }
    Ok(())
}
