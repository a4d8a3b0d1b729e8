//! The end of an organization.

use super::invite::data_of;
use super::rules::lock;
use super::{Actor, InvitationState, MemberRole, OrganizationError};
use crate::app::App;
use crate::domain::Error;
use crate::domain::accounts;
use crate::domain::events::{Event, MembershipData};
use crate::domain::ids::{OrganizationId, UserId};
use crate::mail;
use crate::store::Tx;
use uuid::Uuid;

/// Members are read in pages of this size.
const PAGE: i64 = 500;
/// More invitations than this are never pending.
const INVITATIONS: i64 = 1000;

/// Ends a team organization with its memberships and invitations.
pub async fn delete(app: &App, actor: Actor, org: OrganizationId) -> Result<(), OrganizationError> {
    let mut tx = app.store.begin().await?;
    let locked = lock(&mut tx, org, actor, MemberRole::Owner).await?;
    locked.must_be_team()?;
    tx.members_lock(org).await?;
    revoke_pending(app, &mut tx, org, actor.user()).await?;
    let homeless = tell_of_memberships(&mut tx, org).await?;
    tx.outbox_push(&Event::OrganizationDeleted((&locked.organization).into())).await?;
    tx.memberships_delete_all(org).await?;
    for (user, username) in homeless {
        accounts::create_first_organization(app, &mut tx, user, &username).await?;
    }
    tx.sessions_leave_all(org).await?;
    tx.organization_delete(org).await?;
    tx.commit().await?;
    Ok(())
}

/// Revokes what can still be accepted, with its events.
pub(in crate::domain) async fn revoke_pending(
    app: &App,
    tx: &mut Tx,
    org: OrganizationId,
    by: Option<UserId>,
) -> Result<(), Error> {
    let now = app.clock.now();
    for invitation in tx.invitations_pending(org, INVITATIONS).await? {
        if invitation.state_at(now) == InvitationState::Pending
            && tx.invitation_finish(invitation.id, InvitationState::Revoked, by, now).await?
        {
            mail::withdraw_invitation(tx, invitation.id).await?;
            let invitation = data_of(&invitation)?;
            tx.outbox_push(&Event::InvitationRevoked { invitation, revoked_by_user_id: by, revoked_at: now }).await?;
        }
    }
    Ok(())
}

/// Records the end of every membership; gives the members who are in no other organization.
async fn tell_of_memberships(tx: &mut Tx, org: OrganizationId) -> Result<Vec<(UserId, String)>, Error> {
    let mut after = UserId(Uuid::nil());
    loop {
        let members = tx.members_page(org, after, PAGE).await?;
        let Some(last) = members.last() else { break };
        after = last.user_id;
        for member in members {
            let data = MembershipData { organization_id: org, user_id: member.user_id, role: member.role };
            tx.outbox_push(&Event::MembershipDeleted(data)).await?;
        }
    }
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
