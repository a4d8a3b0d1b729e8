//! Deletion of organizations.

use super::revoke_pending::revoke_pending;
use super::rules::lock;
use crate::context::App;
use crate::domain::change::Change;
use crate::domain::organization::first_organization;
use crate::error::Error;
use crate::model::change::{self, OrganizationChange};
use crate::model::event::MembershipData;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::principal::Operation;
use crate::refusal::ChangeError;
use crate::store::Tx;
use uuid::Uuid;

/// Members per query.
const PAGE_SIZE: i64 = 500;

/// Deletes a team organization with its memberships and invitations.
pub struct Delete {
    pub org: OrganizationId,
}

impl Change for Delete {
    const OPERATION: Operation = Operation::DeleteOrganization;
    type Made = ();

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<(), ChangeError> {
        let org = self.org;
        let locked = lock(tx, org).await?;
        locked.require_team()?;
        tx.members_lock(org).await?;
        let actor = tx.principal().user_id();
        revoke_pending(app, tx, org, actor).await?;
        record_ended_memberships(tx, org).await?;
        tx.record_organization(OrganizationChange::Deleted { organization: (&locked.organization).into() }).await?;
        let sole_members = members_without_other_organization(tx, org).await?;
        tx.memberships_delete_all(org).await?;
        first_organization::create_all(app, tx, &sole_members).await?;
        tx.sessions_leave_all(org).await?;
        Ok(tx.organization_delete(org).await?)
    }
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
            change::Change::Organization(OrganizationChange::MembershipEnded(membership))
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
