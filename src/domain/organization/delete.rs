//! Deletion of organizations.

use super::revoke_pending::revoke_pending;
use super::rules::lock;
use crate::context::App;
use crate::domain::organization::first_organization;
use crate::error::Error;
use crate::model::change::{Change, OrganizationChange};
use crate::model::event::MembershipData;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::principal::{Operation, Principal};
use crate::refusal::ChangeError;
use crate::store::Tx;
use uuid::Uuid;

/// Members per query.
const PAGE_SIZE: i64 = 500;

/// Deletes a team organization with its memberships and invitations.
pub async fn delete(app: &App, principal: &Principal, org: OrganizationId) -> Result<(), ChangeError> {
    let mut tx = app.store.begin(principal, Operation::DeleteOrganization).await?;
    let locked = lock(&mut tx, org).await?;
    locked.require_team()?;
    tx.members_lock(org).await?;
    revoke_pending(app, &mut tx, org, principal.user_id()).await?;
    record_ended_memberships(&mut tx, org).await?;
    tx.record_organization(OrganizationChange::Deleted { organization: (&locked.organization).into() }).await?;
    let sole_members = members_without_other_organization(&mut tx, org).await?;
    tx.memberships_delete_all(org).await?;
    first_organization::create_all(app, &mut tx, &sole_members).await?;
    tx.sessions_leave_all(org).await?;
    tx.organization_delete(org).await?;
    tx.commit().await?;
    Ok(())
}

/// Records the event of every ended membership.
async fn record_ended_memberships(tx: &mut Tx, org: OrganizationId) -> Result<(), Error> {
    let mut after = UserId(Uuid::nil());
    loop {
        let members = tx.member_roles_page(org, after, PAGE_SIZE).await?;
        let Some((last, _)) = members.last() else { return Ok(()) };
        after = *last;
        let ended = members.into_iter().map(|(user_id, role)| {
            let membership = MembershipData { organization_id: org, user_id, role };
            Change::Organization(OrganizationChange::MembershipEnded(membership))
        });
        tx.record_all(&ended.collect::<Vec<_>>()).await?;
    }
}

/// Returns the members who are in no other organization.
async fn members_without_other_organization(tx: &mut Tx, org: OrganizationId) -> Result<Vec<(UserId, String)>, Error> {
    let mut found: Vec<(UserId, String)> = Vec::new();
    loop {
        let after = found.last().map_or(UserId(Uuid::nil()), |last| last.0);
        let members = tx.members_of_this_only(org, after, PAGE_SIZE).await?;
        if members.is_empty() {
            return Ok(found);
        }
        found.extend(members.into_iter().map(|member| (member.user_id, member.username)));
    }
}
