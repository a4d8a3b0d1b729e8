//! The end of an account.

use crate::app::App;
use crate::domain::Error;
use crate::domain::audit::{AuditEntry, AuditKind, By};
use crate::domain::events::{Event, MembershipData};
use crate::domain::ids::UserId;
use crate::domain::organizations::{self, MemberRole};
use crate::messages::Message;
use crate::store::{MembershipRow, OrganizationRow, StoreError, Tx};

/// Each lost race means that the user joined, invited or answered somewhere, so this many in a row do not happen.
const MAX_RACES: u32 = 16;

/// Why an account was not deleted.
#[derive(Debug, thiserror::Error)]
pub enum DeleteError {
    /// There is no such account.
    #[error("there is no such account")]
    NoSuchUser,
    /// Organizations with other members would be without an owner.
    #[error("{}", last_owner(.0).english())]
    LastOwner(Vec<String>),
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

/// What to say to the last owner of organizations with these names.
pub fn last_owner(organizations: &[String]) -> Message {
    Message::new("account-last-owner").text("organizations", organizations.join(", "))
}

impl From<StoreError> for DeleteError {
    fn from(error: StoreError) -> Self {
        DeleteError::Failed(error.into())
    }
}

/// Deletes an account with its sessions, its memberships, and the organizations that have no other member.
pub async fn delete(app: &App, user: UserId, by: &By) -> Result<(), DeleteError> {
    for _ in 0..MAX_RACES {
        let mut tx = app.store.begin().await?;
        let Some(memberships) = lock_all(&mut tx, user).await? else {
            tx.rollback().await?;
            continue;
        };
        if tx.user_find(user).await?.is_none() {
            return Err(DeleteError::NoSuchUser);
        }
        let ending = organizations_that_end(&mut tx, user, &memberships).await?;
        for organization in &ending {
            organizations::revoke_pending(app, &mut tx, organization.id, by.user_id()).await?;
        }
        tell(app, &mut tx, user, &memberships, &ending).await?;
        remove(&mut tx, user, &memberships, &ending).await?;
        tx.audit_push(&AuditEntry::new(AuditKind::AccountDeleted, user, by)).await?;
        tx.commit().await?;
        tracing::info!(user = %user, "account deleted");
        return Ok(());
    }
    Err(Error::Inconsistent(format!("the memberships of user {user} change too fast")).into())
}

/// Locks the organizations that name the user, in the order of their ids, then the user, and gives the memberships;
/// `None` if an organization came to name the user meanwhile.
///
/// Not only where the user is a member: the rows of an organization that the user made and left, and of invitations made
/// and answered there, change when the account is gone. Who else is at work there has the organization locked, and may
/// be about to lock the user.
async fn lock_all(tx: &mut Tx, user: UserId) -> Result<Option<Vec<MembershipRow>>, StoreError> {
    let locked = tx.organizations_lock_naming_user(user).await?;
    tx.user_lock(user).await?;
    let naming = tx.organizations_naming_user(user).await?;
    if naming.iter().all(|organization| locked.binary_search(organization).is_ok()) {
        Ok(Some(tx.memberships_of_user(user).await?))
    } else {
        Ok(None)
    }
}

/// The organizations without another member; refused if one with other members would lose its last owner.
async fn organizations_that_end(
    tx: &mut Tx,
    user: UserId,
    memberships: &[MembershipRow],
) -> Result<Vec<OrganizationRow>, DeleteError> {
    let mut ending = Vec::new();
    let mut orphaned = Vec::new();
    for membership in memberships {
        let org = membership.organization_id;
        if !tx.member_others_exist(org, user).await? {
            ending.extend(tx.organization_find(org).await?);
        } else if membership.role == MemberRole::Owner && !tx.member_other_owner_exists(org, user).await? {
            orphaned.push(membership.name.clone());
        }
    }
    if orphaned.is_empty() { Ok(ending) } else { Err(DeleteError::LastOwner(orphaned)) }
}

/// Records the events in the contract's order: after each membership that ends in an organization that stays, the
/// invitations that go with it.
async fn tell(
    app: &App,
    tx: &mut Tx,
    user: UserId,
    memberships: &[MembershipRow],
    ending: &[OrganizationRow],
) -> Result<(), Error> {
    for membership in memberships {
        let (organization_id, role) = (membership.organization_id, membership.role);
        tx.outbox_push(&Event::MembershipDeleted(MembershipData { organization_id, user_id: user, role })).await?;
        organizations::revoke_beyond(app, tx, (organization_id, user), None, None).await?;
    }
    for organization in ending {
        tx.outbox_push(&Event::OrganizationDeleted(organization.into())).await?;
    }
    Ok(tx.outbox_push(&Event::UserDeleted { user_id: user }).await?)
}

async fn remove(
    tx: &mut Tx,
    user: UserId,
    memberships: &[MembershipRow],
    ending: &[OrganizationRow],
) -> Result<(), StoreError> {
    tx.sessions_delete_of_user(user).await?;
    for membership in memberships {
        tx.membership_delete(membership.organization_id, user).await?;
    }
    for organization in ending {
        tx.organization_delete(organization.id).await?;
    }
    tx.user_delete(user).await
}
