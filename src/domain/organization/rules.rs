//! Permission rules by role.

use super::refusal::{OrganizationError, Refusal};
use crate::model::audit::Actor;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::store::{OrganizationRow, Tx, UserRow};

/// The principal of a request, as the audit log names it.
#[derive(Clone, Copy, Debug)]
pub enum Principal<'a> {
    /// An operator on the command line, who may do what an owner may.
    Operator,
    /// An application's backend with an API key, which may do the same.
    Backend(&'a Actor),
    /// A member, with the role currently in the database.
    User(&'a Actor),
}

static OPERATOR: Actor = Actor::operator();

impl<'a> Principal<'a> {
    /// Returns the user, or `None` for an operator and a backend.
    pub const fn user(self) -> Option<UserId> {
        match self {
            Principal::Operator | Principal::Backend(_) => None,
            Principal::User(actor) => actor.user_id(),
        }
    }

    /// Who acts, in the audit log.
    pub const fn actor(self) -> &'a Actor {
        match self {
            Principal::Operator => &OPERATOR,
            Principal::Backend(actor) | Principal::User(actor) => actor,
        }
    }

    /// Refuses to change the memberships of a user with platform roles to a backend without the scope for them.
    pub(super) fn require_changeable(self, user: &UserRow) -> Result<(), OrganizationError> {
        if self.actor().may_change(user.roles) { Ok(()) } else { Err(OrganizationError::Protected) }
    }

    /// Whether this is the operator, who answers for what the service cannot check.
    pub const fn is_operator(self) -> bool {
        matches!(self, Principal::Operator)
    }
}

/// An organization, and the role of the principal in it.
pub struct MembershipView {
    /// The organization.
    pub organization: OrganizationRow,
    /// The role in it.
    pub role: MemberRole,
}

/// Locks an organization for a principal who must have at least `min_role` in it.
pub(super) async fn lock(
    tx: &mut Tx,
    org: OrganizationId,
    principal: Principal<'_>,
    min_role: MemberRole,
) -> Result<MembershipView, OrganizationError> {
    let not_found = OrganizationError::NotFound("organization");
    let Some(organization) = tx.organization_lock(org).await? else { return Err(not_found) };
    let role = match (principal, principal.user()) {
        (Principal::Operator | Principal::Backend(_), _) => Some(MemberRole::Owner),
        (Principal::User(_), Some(user)) => tx.member_role(org, user).await?,
        (Principal::User(_), None) => None,
    };
    // Its existence is not revealed to non-members.
    let role = role.ok_or(not_found)?;
    let membership = MembershipView { organization, role };
    membership.require_role(min_role)?;
    Ok(membership)
}

impl MembershipView {
    /// Requires at least this role.
    pub fn require_role(&self, min_role: MemberRole) -> Result<(), Refusal> {
        if self.role < min_role { Err(Refusal::NotPermitted) } else { Ok(()) }
    }

    /// Requires a team organization.
    pub fn require_team(&self) -> Result<(), Refusal> {
        match self.organization.kind {
            OrganizationKind::Team => Ok(()),
            OrganizationKind::Personal => Err(Refusal::Personal),
        }
    }

    /// Checks whether the principal may change or end a membership or invitation with this role.
    pub fn may_change(&self, role: MemberRole) -> Result<(), Refusal> {
        self.require_team()?;
        self.require_role(MemberRole::Admin)?;
        self.require_rank(role)
    }

    /// Requires a rank to act on this role: no one grants a role above their own, or changes a member above them.
    pub fn require_rank(&self, role: MemberRole) -> Result<(), Refusal> {
        if role <= self.role { Ok(()) } else { Err(Refusal::AboveOwnRole) }
    }
}

/// Requires another owner before an owner is removed or demoted.
pub(super) async fn require_other_owner(
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
