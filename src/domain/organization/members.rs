//! Roles changed, memberships ended.

use super::refusal::OrganizationError;
use super::revoke_pending::revoke_beyond;
use super::rules::{Actor, keep_an_owner, lock};
use crate::context::App;
use crate::domain::registration::first_organization;
use crate::model::event::{Event, MembershipData};
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::MemberRole;
use crate::store::Tx;

/// Changes a member's role; `false` if the member has it already.
pub async fn set_role(
    app: &App,
    actor: Actor,
    org: OrganizationId,
    user: UserId,
    role: MemberRole,
) -> Result<bool, OrganizationError> {
    let mut tx = app.store.begin().await?;
    let locked = lock(&mut tx, org, actor, MemberRole::Admin).await?;
    let present = tx.member_role(org, user).await?.ok_or(OrganizationError::NotFound("member"))?;
    locked.must_be_team()?;
    locked.must_reach(present)?;
    locked.must_reach(role)?;
    if present == role {
        return Ok(false);
    }
    keep_an_owner(&mut tx, org, user, present).await?;
    tx.membership_set_role(org, user, role).await?;
    tx.outbox_push(&Event::MembershipUpdated(MembershipData { organization_id: org, user_id: user, role })).await?;
    if role < present {
        revoke_beyond(app, &mut tx, (org, user), Some(role), actor.user()).await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// Ends somebody's membership.
pub async fn remove(app: &App, actor: Actor, org: OrganizationId, user: UserId) -> Result<(), OrganizationError> {
    end(app, actor, org, user, MemberRole::Admin).await
}

/// Ends one's own membership.
pub async fn leave(app: &App, org: OrganizationId, user: UserId) -> Result<(), OrganizationError> {
    end(app, Actor::User(user), org, user, MemberRole::Member).await
}

async fn end(
    app: &App,
    actor: Actor,
    org: OrganizationId,
    user: UserId,
    least: MemberRole,
) -> Result<(), OrganizationError> {
    let mut tx = app.store.begin().await?;
    let locked = lock(&mut tx, org, actor, least).await?;
    let role = tx.member_role(org, user).await?.ok_or(OrganizationError::NotFound("member"))?;
    locked.must_be_team()?;
    locked.must_reach(role)?;
    keep_an_owner(&mut tx, org, user, role).await?;
    end_membership(app, &mut tx, actor, MembershipData { organization_id: org, user_id: user, role }).await?;
    tx.commit().await?;
    Ok(())
}

/// Ends a membership with its event, and with the member's invitations. A user without another one gets what direct
/// sign-up creates; the sessions in this organization move.
async fn end_membership(
    app: &App,
    tx: &mut Tx,
    actor: Actor,
    membership: MembershipData,
) -> Result<(), OrganizationError> {
    let (org, user) = (membership.organization_id, membership.user_id);
    let Some(row) = tx.user_lock(user).await? else { return Err(OrganizationError::NotFound("member")) };
    tx.membership_delete(org, user).await?;
    tx.outbox_push(&Event::MembershipDeleted(membership)).await?;
    revoke_beyond(app, tx, (org, user), None, actor.user()).await?;
    if tx.membership_default(user).await?.is_none() {
        first_organization::create(app, tx, user, &row.username).await?;
    }
    tx.sessions_leave(org, user).await?;
    Ok(())
}
