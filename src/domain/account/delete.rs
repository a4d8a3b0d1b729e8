//! The end of an account.

use crate::context::App;
use crate::domain::organization::revoke_pending::{self, revoke_pending};
use crate::error::Error;
use crate::messages::Message;
use crate::model::audit::{AuditEntry, AuditKind, By};
use crate::model::event::{Event, MembershipData};
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::MemberRole;
use crate::store::{MembershipRow, OrganizationRow, StoreError, Tx, UserRow};

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
        let Left { ending, orphaned } = left(&mut tx, user, &memberships).await?;
        if !orphaned.is_empty() {
            return Err(DeleteError::LastOwner(
                orphaned.into_iter().map(|membership| membership.name.clone()).collect(),
            ));
        }
        end(app, &mut tx, user, (&memberships, &ending), by).await?;
        tx.audit_push(&AuditEntry::new(AuditKind::AccountDeleted, user, by)).await?;
        tx.commit().await?;
        tracing::info!(user = %user, "account deleted");
        return Ok(());
    }
    Err(Error::Inconsistent(format!("the memberships of user {user} change too fast")).into())
}

/// An account that is locked, with all that names it.
pub(in crate::domain) struct Locked {
    pub(in crate::domain) user: UserRow,
    memberships: Vec<MembershipRow>,
}

/// Begins a transaction, in which it locks the account with this folded address and all that names it.
pub(in crate::domain) async fn lock_holder(app: &App, email_key: &str) -> Result<(Tx, Option<Locked>), Error> {
    for _ in 0..MAX_RACES {
        let mut tx = app.store.begin().await?;
        let Some(found) = tx.user_find_by_email(email_key).await? else { return Ok((tx, None)) };
        let memberships = lock_all(&mut tx, found.id).await?;
        let user = tx.user_find_by_email(email_key).await?.filter(|user| user.id == found.id);
        match (user, memberships) {
            (Some(user), Some(memberships)) => return Ok((tx, Some(Locked { user, memberships }))),
            _ => tx.rollback().await?,
        }
    }
    Err(Error::Inconsistent("the account with an address changes too fast".to_owned()))
}

/// Deletes an account whose address was never proved, in the transaction that gives the address to whoever proved it, with
/// the events of a deletion by its owner. Organizations with other members stay: where it was the last owner, the next
/// member in line becomes one (docs/decisions/0007-accounts-that-give-way.md).
pub(in crate::domain) async fn give_way(app: &App, tx: &mut Tx, account: &Locked, by: &By) -> Result<(), Error> {
    let user = account.user.id;
    let Left { ending, orphaned } = left(tx, user, &account.memberships).await?;
    for membership in orphaned {
        hand_over(tx, membership.organization_id, user).await?;
    }
    end(app, tx, user, (&account.memberships, &ending), by).await?;
    tx.audit_push(&AuditEntry::new(AuditKind::AccountDeleted, user, by).with_detail("address proved by another"))
        .await?;
    tracing::info!(user = %user, "an account whose address was never proved gave way");
    Ok(())
}

async fn hand_over(tx: &mut Tx, organization_id: OrganizationId, from: UserId) -> Result<(), Error> {
    let Some(heir) = tx.member_heir(organization_id, from).await? else {
        return Err(Error::Inconsistent(format!("organization {organization_id} has lost its other members")));
    };
    let role = MemberRole::Owner;
    tx.membership_set_role(organization_id, heir, role).await?;
    tx.outbox_push(&Event::MembershipUpdated(MembershipData { organization_id, user_id: heir, role })).await?;
    Ok(())
}

async fn end(
    app: &App,
    tx: &mut Tx,
    user: UserId,
    (memberships, ending): (&[MembershipRow], &[OrganizationRow]),
    by: &By,
) -> Result<(), Error> {
    for organization in ending {
        revoke_pending(app, tx, organization.id, by.user_id()).await?;
    }
    tell(app, tx, user, memberships, ending).await?;
    Ok(remove(tx, user, memberships, ending).await?)
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

/// What the end of an account leaves behind.
struct Left<'a> {
    /// Organizations without another member.
    ending: Vec<OrganizationRow>,
    /// Memberships as the last owner, in organizations with other members.
    orphaned: Vec<&'a MembershipRow>,
}

async fn left<'a>(tx: &mut Tx, user: UserId, memberships: &'a [MembershipRow]) -> Result<Left<'a>, StoreError> {
    let mut left = Left { ending: Vec::new(), orphaned: Vec::new() };
    for membership in memberships {
        let org = membership.organization_id;
        if !tx.member_others_exist(org, user).await? {
            left.ending.extend(tx.organization_find(org).await?);
        } else if membership.role == MemberRole::Owner && !tx.member_other_owner_exists(org, user).await? {
            left.orphaned.push(membership);
        }
    }
    Ok(left)
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
        revoke_pending::revoke_beyond(app, tx, (organization_id, user), None, None).await?;
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
