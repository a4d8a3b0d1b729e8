//! Members of an organization: add, change a role, remove, leave.

use super::record::record;
use super::refusal::{OrganizationError, Refusal};
use super::revoke_pending::revoke_above_role;
use super::rules::{Principal, lock, require_other_owner};
use crate::context::App;
use crate::domain::organization::first_organization;
use crate::model::audit::{Actor, AuditKind};
use crate::model::event::{Event, MembershipData};
use crate::model::ids::{OrganizationId, UserId};
use crate::model::metadata::Metadata;
use crate::model::organization::MemberRole;
use crate::settings::OrgMode;
use crate::store::Tx;

/// Makes a user a member without asking them, as a backend may, in a transaction that the caller commits.
pub async fn begin_add(
    app: &App,
    backend: &Actor,
    org: OrganizationId,
    user: UserId,
    role: MemberRole,
) -> Result<Tx, OrganizationError> {
    let mut tx = app.store.begin().await?;
    let principal = Principal::Backend(backend);
    let locked = lock(&mut tx, org, principal, MemberRole::Owner).await?;
    let account = tx.user_lock(user).await?.ok_or(OrganizationError::NotFound("user"))?;
    principal.require_changeable(&account)?;
    locked.require_team()?;
    if app.settings.accounts.org_mode == OrgMode::Personal {
        return Err(Refusal::NoTeams.into());
    }
    if tx.member_role(org, user).await?.is_some() {
        return Err(Refusal::AlreadyMember.into());
    }
    tx.membership_create(org, user, role).await?;
    tx.outbox_push(&Event::MembershipCreated {
        organization_id: org,
        user_id: user,
        role,
        is_initial_membership: false,
        invitation_id: None,
        metadata: Metadata::default(),
    })
    .await?;
    record(&mut tx, principal, AuditKind::MemberAdded, &locked.organization, Some(user), role.as_str()).await?;
    Ok(tx)
}

/// Refuses a member with platform roles to a backend without the scope for them.
async fn protect(tx: &mut Tx, principal: Principal<'_>, user: UserId) -> Result<(), OrganizationError> {
    if principal.actor().may_change_everybody() {
        return Ok(());
    }
    let account = tx.user_lock(user).await?.ok_or(OrganizationError::NotFound("member"))?;
    principal.require_changeable(&account)
}

/// Changes a member's role. Returns `false` if the member has it already.
pub async fn set_role(
    app: &App,
    principal: Principal<'_>,
    org: OrganizationId,
    user: UserId,
    role: MemberRole,
) -> Result<bool, OrganizationError> {
    let (tx, changed) = begin_set_role(app, principal, org, user, role).await?;
    tx.commit().await?;
    Ok(changed)
}

/// As [`set_role`], in a transaction that the caller commits.
pub async fn begin_set_role(
    app: &App,
    principal: Principal<'_>,
    org: OrganizationId,
    user: UserId,
    role: MemberRole,
) -> Result<(Tx, bool), OrganizationError> {
    let mut tx = app.store.begin().await?;
    let locked = lock(&mut tx, org, principal, MemberRole::Admin).await?;
    let current = tx.member_role(org, user).await?.ok_or(OrganizationError::NotFound("member"))?;
    protect(&mut tx, principal, user).await?;
    locked.require_team()?;
    locked.require_rank(current)?;
    locked.require_rank(role)?;
    if current == role {
        return Ok((tx, false));
    }
    require_other_owner(&mut tx, org, user, current).await?;
    tx.membership_set_role(org, user, role).await?;
    tx.outbox_push(&Event::MembershipUpdated(MembershipData { organization_id: org, user_id: user, role })).await?;
    let roles = format!("{} to {}", current.as_str(), role.as_str());
    record(&mut tx, principal, AuditKind::MemberRoleChanged, &locked.organization, Some(user), &roles).await?;
    if role < current {
        revoke_above_role(app, &mut tx, org, user, Some(role), principal.user()).await?;
    }
    Ok((tx, true))
}

/// Removes a member.
pub async fn remove(
    app: &App,
    principal: Principal<'_>,
    org: OrganizationId,
    user: UserId,
) -> Result<(), OrganizationError> {
    remove_member(app, principal, org, user, MemberRole::Admin).await
}

/// Leaves an organization.
pub async fn leave(app: &App, actor: &Actor, org: OrganizationId) -> Result<(), OrganizationError> {
    let user = actor.user_id().ok_or(OrganizationError::NotFound("member"))?;
    remove_member(app, Principal::User(actor), org, user, MemberRole::Member).await
}

async fn remove_member(
    app: &App,
    principal: Principal<'_>,
    org: OrganizationId,
    user: UserId,
    min_role: MemberRole,
) -> Result<(), OrganizationError> {
    let mut tx = app.store.begin().await?;
    let locked = lock(&mut tx, org, principal, min_role).await?;
    let role = tx.member_role(org, user).await?.ok_or(OrganizationError::NotFound("member"))?;
    protect(&mut tx, principal, user).await?;
    locked.require_team()?;
    locked.require_rank(role)?;
    require_other_owner(&mut tx, org, user, role).await?;
    end_membership(app, &mut tx, principal, MembershipData { organization_id: org, user_id: user, role }).await?;
    let kind = AuditKind::MemberRemoved;
    record(&mut tx, principal, kind, &locked.organization, Some(user), role.as_str()).await?;
    tx.commit().await?;
    Ok(())
}

/// Deletes a membership with its event, and revokes the member's invitations. A user without another membership gets a
/// first organization as at signup; sessions in this organization move to another one.
async fn end_membership(
    app: &App,
    tx: &mut Tx,
    principal: Principal<'_>,
    membership: MembershipData,
) -> Result<(), OrganizationError> {
    let (org, user) = (membership.organization_id, membership.user_id);
    let Some(row) = tx.user_lock(user).await? else { return Err(OrganizationError::NotFound("member")) };
    tx.membership_delete(org, user).await?;
    tx.outbox_push(&Event::MembershipDeleted(membership)).await?;
    revoke_above_role(app, tx, org, user, None, principal.user()).await?;
    if tx.membership_default(user).await?.is_none() {
        first_organization::create(app, tx, user, &row.username).await?;
    }
    tx.sessions_leave(org, user).await?;
    Ok(())
}
