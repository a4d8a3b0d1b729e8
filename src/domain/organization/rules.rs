//! Permission rules by role.

use super::refusal::{OrganizationError, Refusal};
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::model::principal::AccountTarget;
use crate::store::{Conn, OrganizationRow, StoreError, Tx, UserRow};

/// An organization, and the role of the principal in it.
pub struct MembershipView {
    pub organization: OrganizationRow,
    pub role: MemberRole,
}

/// Locks an organization for the principal of the transaction, who must have the role in it that the operation needs.
pub(super) async fn lock(tx: &mut Tx, org: OrganizationId) -> Result<MembershipView, OrganizationError> {
    let Some(organization) = tx.organization_lock(org).await? else {
        return Err(OrganizationError::NotFound("organization"));
    };
    let member = tx.principal().user_id().filter(|_| tx.acts_as_member());
    let role = match member {
        Some(user) if is_in_open_session(tx, user).await? => tx.member_role(org, user).await?,
        _ => None,
    };
    // Its existence is not revealed to non-members.
    let role = tx.require_role(role)?;
    Ok(MembershipView { organization, role })
}

/// Whether the session of the principal, if it has one, has not ended meanwhile: what it made would stay.
async fn is_in_open_session(tx: &mut Tx, user: UserId) -> Result<bool, StoreError> {
    match tx.principal().actor().session() {
        Some(session) => tx.session_is_open(user, session).await,
        None => Ok(true),
    }
}

/// Refuses to change the memberships of a user with platform roles to a backend without the scope for them.
pub(super) fn require_changeable(tx: &mut Tx, user: &UserRow) -> Result<(), OrganizationError> {
    Ok(tx.require_account(AccountTarget::new(user.id, user.roles))?)
}

impl MembershipView {
    pub fn require_role(&self, min_role: MemberRole) -> Result<(), Refusal> {
        if self.role < min_role { Err(Refusal::NotPermitted) } else { Ok(()) }
    }

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

    /// Requires a rank to act on this role: members grant no role above their own, and change no member above them.
    pub fn require_rank(&self, role: MemberRole) -> Result<(), Refusal> {
        if role <= self.role { Ok(()) } else { Err(Refusal::AboveOwnRole) }
    }
}

/// Requires another owner before an owner is removed or demoted.
pub(super) async fn require_other_owner(
    conn: &mut Conn,
    org: OrganizationId,
    user: UserId,
    role: MemberRole,
) -> Result<(), OrganizationError> {
    if role == MemberRole::Owner && !conn.member_other_owner_exists(org, user).await? {
        return Err(Refusal::LastOwner.into());
    }
    Ok(())
}
