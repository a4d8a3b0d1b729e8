//! The end of an organization.

use super::refusal::OrganizationError;
use super::revoke_pending::revoke_pending;
use super::rules::{Actor, lock};
use crate::context::App;
use crate::domain::registration::first_organization;
use crate::error::Error;
use crate::model::event::{Event, MembershipData};
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::MemberRole;
use crate::store::Tx;
use uuid::Uuid;

/// Members are read in pages of this size.
const PAGE: i64 = 500;

/// Ends a team organization with its memberships and invitations.
pub async fn delete(app: &App, actor: Actor, org: OrganizationId) -> Result<(), OrganizationError> {
    let mut tx = app.store.begin().await?;
    let locked = lock(&mut tx, org, actor, MemberRole::Owner).await?;
    locked.must_be_team()?;
    tx.members_lock(org).await?;
    revoke_pending(app, &mut tx, org, actor.user()).await?;
    tell_of_memberships(&mut tx, org).await?;
    tx.outbox_push(&Event::OrganizationDeleted((&locked.organization).into())).await?;
    let homeless = homeless(&mut tx, org).await?;
    tx.memberships_delete_all(org).await?;
    first_organization::create_all(app, &mut tx, &homeless).await?;
    tx.sessions_leave_all(org).await?;
    tx.organization_delete(org).await?;
    tx.commit().await?;
    Ok(())
}

/// Records the end of every membership.
async fn tell_of_memberships(tx: &mut Tx, org: OrganizationId) -> Result<(), Error> {
    let mut after = UserId(Uuid::nil());
    loop {
        let members = tx.member_roles_page(org, after, PAGE).await?;
        let Some((last, _)) = members.last() else { return Ok(()) };
        after = *last;
        let ended = |(user_id, role)| Event::MembershipDeleted(MembershipData { organization_id: org, user_id, role });
        let events: Vec<Event> = members.into_iter().map(ended).collect();
        tx.outbox_push_all(&events).await?;
    }
}

/// The members who are in no other organization.
async fn homeless(tx: &mut Tx, org: OrganizationId) -> Result<Vec<(UserId, String)>, Error> {
    let mut homeless: Vec<(UserId, String)> = Vec::new();
    loop {
        let after = homeless.last().map_or(UserId(Uuid::nil()), |found| found.0);
        let members = tx.members_of_this_only(org, after, PAGE).await?;
        if members.is_empty() {
            return Ok(homeless);
        }
        homeless.extend(members.into_iter().map(|member| (member.user_id, member.username)));
    }
}
