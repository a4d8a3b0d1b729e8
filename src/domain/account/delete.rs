//! Deletion of accounts.

use super::last_admin::is_last_admin;
use crate::context::App;
use crate::domain::change::Runnable;
use crate::domain::identity::notify_admins::notify_admins;
use crate::domain::organization::revoke_pending::{self, revoke_pending};
use crate::error::Error;
use crate::mail::{self, AdminNotice, Notice};
use crate::messages::Message;
use crate::model::change::{AccountChange, OrganizationChange};
use crate::model::event::MembershipData;
use crate::model::ids::UserId;
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::model::principal::{AccountTarget, Operation, Principal};
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::store::{Conn, MembershipRow, OrganizationRow, StoreError, Tx};

/// Each failed attempt means a concurrent change by the user (joined, invited, answered): not this many in a row.
const MAX_LOCK_ATTEMPTS: u32 = 16;

/// What the last owner of the organizations with these names reads, or who would delete their account.
pub fn last_owner_message(organizations: &[String], is_own: bool) -> Message {
    let words = if is_own { "account-last-owner" } else { "user-last-owner" };
    Message::new(words).text("organizations", organizations.join(", "))
}

/// What goes with an account, by the names of teams.
pub struct Consequences {
    /// Those that are deleted: they have no other member.
    pub deleted: Vec<String>,
    /// Those that the account only leaves.
    pub left: Vec<String>,
    /// Those that would have no owner, so that the account stays.
    pub ownerless: Vec<String>,
}

pub async fn consequences(app: &App, principal: &Principal, user: UserId) -> Result<Consequences, Error> {
    let mut conn = app.store.read_own(principal, Operation::ReadOwnAccount, user).await?;
    let memberships = conn.memberships_of_user(user).await?;
    let AffectedOrganizations { deleted, ownerless, left } =
        affected_organizations(&mut conn, user, &memberships).await?;
    let names = |of: Vec<&MembershipRow>| {
        let teams = of.into_iter().filter(|membership| membership.kind == OrganizationKind::Team);
        teams.map(|membership| membership.name.clone()).collect()
    };
    Ok(Consequences { deleted: names(deleted), left: names(left), ownerless: names(ownerless) })
}

/// Deletes an account with its sessions, its memberships, and the organizations that have no other member.
pub struct Delete {
    pub user: UserId,
}

impl Runnable for Delete {
    type Made = ();

    async fn make(self, app: &App, principal: &Principal) -> Result<(Tx, ()), ChangeError> {
        for _ in 0..MAX_LOCK_ATTEMPTS {
            let mut tx = app.store.begin(principal, Operation::DeleteUser).await?;
            // Before every other lock, as in every use case that asks for the last administrator.
            tx.instance_lock().await?;
            match lock_all(&mut tx, self.user).await? {
                Some(memberships) => {
                    delete_locked(app, &mut tx, self.user, &memberships).await?;
                    return Ok((tx, ()));
                }
                None => tx.rollback().await?,
            }
        }
        Err(Error::Inconsistent(format!("the memberships of user {} change too fast", self.user)).into())
    }
}

async fn delete_locked(app: &App, tx: &mut Tx, user: UserId, memberships: &[MembershipRow]) -> Result<(), ChangeError> {
    let account = tx.user_find(user).await?.ok_or(Refusal::NotFound("user"))?;
    let ends_last_administrator = is_last_admin(tx, &account).await?;
    let roles = account.roles;
    tx.require_account(AccountTarget { user, roles, takes_rights: true, ends_last_administrator })?;
    let actor = tx.principal().user_id();
    let AffectedOrganizations { deleted, ownerless, .. } = affected_organizations(tx, user, memberships).await?;
    if !ownerless.is_empty() {
        let names: Vec<String> = ownerless.into_iter().map(|membership| membership.name.clone()).collect();
        return Err(Refusal::Rule(Rule::LastOwner, last_owner_message(&names, actor == Some(user))).into());
    }
    let mut organizations = Vec::new();
    for membership in deleted {
        organizations.extend(tx.organization_find(membership.organization_id).await?);
    }
    for organization in &organizations {
        revoke_pending(app, tx, organization.id, actor).await?;
    }
    record_events(app, tx, user, memberships, &organizations).await?;
    delete_rows(tx, user, memberships, &organizations).await?;
    mail::notify(app, tx, &account, Notice::AccountDeleted).await?;
    Ok(notify_admins(app, tx, &account, account.roles, AdminNotice::Deleted).await?)
}

/// Locks the organizations that refer to the user, in the order of their ids, then the user. Returns the memberships,
/// or `None` if another organization has come to refer to the user meanwhile.
///
/// A membership is not the only reference: the deletion also changes the rows of organizations that the user created
/// and left, and of invitations sent and answered there. A concurrent use case holds the lock of the organization and
/// may be about to lock the user, so the opposite order would deadlock.
async fn lock_all(tx: &mut Tx, user: UserId) -> Result<Option<Vec<MembershipRow>>, StoreError> {
    let locked = tx.organizations_lock_naming_user(user).await?;
    tx.user_lock(user).await?;
    let naming = tx.organizations_referencing_user(user).await?;
    if naming.iter().all(|organization| locked.binary_search(organization).is_ok()) {
        Ok(Some(tx.memberships_of_user(user).await?))
    } else {
        Ok(None)
    }
}

struct AffectedOrganizations<'a> {
    /// Organizations without another member: deleted with the account.
    deleted: Vec<&'a MembershipRow>,
    /// Memberships as the last owner, in organizations with other members.
    ownerless: Vec<&'a MembershipRow>,
    left: Vec<&'a MembershipRow>,
}

async fn affected_organizations<'a>(
    conn: &mut Conn,
    user: UserId,
    memberships: &'a [MembershipRow],
) -> Result<AffectedOrganizations<'a>, StoreError> {
    let mut affected = AffectedOrganizations { deleted: Vec::new(), ownerless: Vec::new(), left: Vec::new() };
    for membership in memberships {
        let org = membership.organization_id;
        if !conn.member_others_exist(org, user).await? {
            affected.deleted.push(membership);
        } else if membership.role == MemberRole::Owner && !conn.member_other_owner_exists(org, user).await? {
            affected.ownerless.push(membership);
        } else {
            affected.left.push(membership);
        }
    }
    Ok(affected)
}

/// Records the events in the order of docs/reference/webhooks.md 12: after each ended membership, the invitations that
/// are revoked with it.
async fn record_events(
    app: &App,
    tx: &mut Tx,
    user: UserId,
    memberships: &[MembershipRow],
    deleted: &[OrganizationRow],
) -> Result<(), Error> {
    for membership in memberships {
        let (organization_id, role) = (membership.organization_id, membership.role);
        let membership = MembershipData { organization_id, user_id: user, role };
        tx.record_organization(OrganizationChange::MembershipEnded(membership)).await?;
        revoke_pending::revoke_above_role(app, tx, organization_id, user, None, None).await?;
    }
    for organization in deleted {
        let organization = organization.into();
        tx.record_organization(OrganizationChange::DeletedWithAccount { organization }).await?;
    }
    Ok(tx.record_account(user, AccountChange::Deleted).await?)
}

async fn delete_rows(
    tx: &mut Tx,
    user: UserId,
    memberships: &[MembershipRow],
    deleted: &[OrganizationRow],
) -> Result<(), StoreError> {
    tx.sessions_delete_of_user(user).await?;
    for membership in memberships {
        tx.membership_delete(membership.organization_id, user).await?;
    }
    for organization in deleted {
        tx.organization_delete(organization.id).await?;
    }
    tx.user_delete(user).await
}
