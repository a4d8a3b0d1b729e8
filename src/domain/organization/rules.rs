//! Permission rules by role.

use super::refusals::{ABOVE_OWN_ROLE, LAST_OWNER, NO_INVITATIONS, NOT_PERMITTED, PERSONAL};
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::refusal::{ChangeError, Refusal};
use crate::settings::OrgMode;
use crate::store::{Conn, OrganizationRow, StoreError, Tx};

/// An organization, and the role of the principal in it.
pub struct MembershipView {
    pub organization: OrganizationRow,
    pub role: MemberRole,
}

/// Locks an organization for the principal of the transaction, who must have the role in it that the operation needs.
pub(super) async fn lock(tx: &mut Tx, org: OrganizationId) -> Result<MembershipView, ChangeError> {
    let Some(organization) = tx.organization_lock(org).await? else {
        return Err(Refusal::NotFound("organization").into());
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

impl MembershipView {
    pub fn require_role(&self, min_role: MemberRole) -> Result<(), Refusal> {
        if self.role < min_role { Err(NOT_PERMITTED) } else { Ok(()) }
    }

    pub fn require_team(&self) -> Result<(), Refusal> {
        match self.organization.kind {
            OrganizationKind::Team => Ok(()),
            OrganizationKind::Personal => Err(PERSONAL),
        }
    }

    /// Whether the principal may invite, and see who is invited.
    pub fn may_invite(&self, mode: OrgMode) -> Result<(), Refusal> {
        self.require_team()?;
        self.require_role(MemberRole::Admin)?;
        if mode == OrgMode::Personal { Err(NO_INVITATIONS) } else { Ok(()) }
    }

    /// Checks whether the principal may change or end a membership or invitation with this role.
    pub fn may_change(&self, role: MemberRole) -> Result<(), Refusal> {
        self.require_team()?;
        self.require_role(MemberRole::Admin)?;
        self.require_rank(role)
    }

    /// Requires a rank to act on this role: members grant no role above their own, and change no member above them.
    pub fn require_rank(&self, role: MemberRole) -> Result<(), Refusal> {
        if role <= self.role { Ok(()) } else { Err(ABOVE_OWN_ROLE) }
    }
}

/// Requires another owner before an owner is removed or demoted.
pub(super) async fn require_other_owner(
    conn: &mut Conn,
    org: OrganizationId,
    user: UserId,
    role: MemberRole,
) -> Result<(), ChangeError> {
    if role == MemberRole::Owner && !conn.member_other_owner_exists(org, user).await? {
        return Err(LAST_OWNER.into());
    }
    Ok(())
}
