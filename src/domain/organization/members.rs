//! Members of an organization: add, change a role, remove, leave.

use super::refusals::{ALREADY_MEMBER, NO_TEAMS};
use super::revoke_pending::revoke_above_role;
use super::rules::{lock, require_other_owner};
use crate::context::App;
use crate::domain::change::{Change, lock_account};
use crate::domain::organization::first_organization;
use crate::model::change::{NewMember, OrganizationChange};
use crate::model::event::OrganizationData;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::MemberRole;
use crate::model::principal::Operation;
use crate::refusal::{ChangeError, Refusal};
use crate::settings::OrgMode;
use crate::store::{OrganizationRow, StoreError, Tx, UserRow};

/// Makes a user a member without asking them, as a backend may.
pub struct AddMember {
    pub org: OrganizationId,
    pub user: UserId,
    pub role: MemberRole,
}

impl Change for AddMember {
    const OPERATION: Operation = Operation::AddMember;
    type Made = ();

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<(), ChangeError> {
        let Self { org, user, role } = self;
        let locked = lock(tx, org).await?;
        lock_account(tx, user).await?;
        locked.require_team()?;
        if app.settings.accounts.org_mode == OrgMode::Personal {
            return Err(NO_TEAMS.into());
        }
        if tx.member_role(org, user).await?.is_some() {
            return Err(ALREADY_MEMBER.into());
        }
        Ok(insert(tx, &locked.organization, NewMember::uninvited(user, role)).await?)
    }
}

/// Inserts a membership with its event, in an organization that this transaction has locked.
pub(in crate::domain) async fn insert(
    tx: &mut Tx,
    organization: &OrganizationRow,
    member: NewMember,
) -> Result<(), StoreError> {
    tx.membership_create(organization.id, member.user_id, member.role).await?;
    let organization = OrganizationData::from(organization);
    tx.record_organization(OrganizationChange::MemberAdded { organization: &organization, member }).await
}

/// Locks the account of a member, whom the principal may change.
async fn lock_member(tx: &mut Tx, user: UserId) -> Result<UserRow, ChangeError> {
    let account = tx.user_lock(user).await?.ok_or(Refusal::NotFound("member"))?;
    tx.require_changeable(&account)?;
    Ok(account)
}

/// Changes a member's role, if one is given; made is whether it changed.
pub struct SetRole {
    pub org: OrganizationId,
    pub user: UserId,
    pub role: Option<MemberRole>,
}

impl Change for SetRole {
    const OPERATION: Operation = Operation::SetMemberRole;
    type Made = bool;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<bool, ChangeError> {
        let Self { org, user, role } = self;
        let locked = lock(tx, org).await?;
        let current = tx.member_role(org, user).await?.ok_or(Refusal::NotFound("member"))?;
        lock_member(tx, user).await?;
        let Some(role) = role else { return Ok(false) };
        locked.require_team()?;
        locked.require_rank(current)?;
        locked.require_rank(role)?;
        if current == role {
            return Ok(false);
        }
        require_other_owner(tx, org, user, current).await?;
        tx.membership_set_role(org, user, role).await?;
        let organization = &OrganizationData::from(&locked.organization);
        tx.record_organization(OrganizationChange::MemberRoleChanged { organization, user, from: current, to: role })
            .await?;
        if role < current {
            let actor = tx.principal().user_id();
            revoke_above_role(app, tx, org, user, Some(role), actor).await?;
        }
        Ok(true)
    }
}

pub struct RemoveMember {
    pub org: OrganizationId,
    pub user: UserId,
}

impl Change for RemoveMember {
    const OPERATION: Operation = Operation::RemoveMember;
    type Made = ();

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<(), ChangeError> {
        end_membership(app, tx, self.org, self.user).await
    }
}

/// Ends one's own membership.
pub struct Leave {
    pub org: OrganizationId,
}

impl Change for Leave {
    const OPERATION: Operation = Operation::LeaveOrganization;
    type Made = ();

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<(), ChangeError> {
        let user = tx.principal().user_id().ok_or(Refusal::NotFound("member"))?;
        end_membership(app, tx, self.org, user).await
    }
}

/// Ends a membership, and revokes the member's invitations. A user without another membership gets a first organization
/// as at signup; sessions in this organization move to another one.
async fn end_membership(app: &App, tx: &mut Tx, org: OrganizationId, user: UserId) -> Result<(), ChangeError> {
    let locked = lock(tx, org).await?;
    let role = tx.member_role(org, user).await?.ok_or(Refusal::NotFound("member"))?;
    let account = lock_member(tx, user).await?;
    locked.require_team()?;
    locked.require_rank(role)?;
    require_other_owner(tx, org, user, role).await?;
    tx.membership_delete(org, user).await?;
    let organization = &OrganizationData::from(&locked.organization);
    tx.record_organization(OrganizationChange::MemberRemoved { organization, user, role }).await?;
    let actor = tx.principal().user_id();
    revoke_above_role(app, tx, org, user, None, actor).await?;
    if tx.membership_default(user).await?.is_none() {
        first_organization::create(app, tx, user, &account.username).await?;
    }
    Ok(tx.sessions_leave(org, user).await?)
}
