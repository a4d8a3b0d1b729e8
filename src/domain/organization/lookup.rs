//! Queries on any organization, which no person's role permits.

use crate::domain::identity::visible_name::single_spaced;
use crate::model::ids::{InvitationId, OrganizationId};
use crate::model::principal::{Operation, Principal};
use crate::refusal::{ChangeError, Refusal};
use crate::store::{InvitationRow, OrganizationRow, Store};

pub async fn find(store: &Store, principal: &Principal, org: OrganizationId) -> Result<OrganizationRow, ChangeError> {
    let found = store.read(principal, Operation::ListOrganizations).await?.organization_find(org).await?;
    Ok(found.ok_or(Refusal::NotFound("organization"))?)
}

/// At most `limit` organizations with this name, letter by letter, the oldest first. Names need not be unique.
pub async fn find_by_name(
    store: &Store,
    principal: &Principal,
    name: &str,
    limit: i64,
) -> Result<Vec<OrganizationRow>, ChangeError> {
    let name = single_spaced(name);
    Ok(store.read(principal, Operation::ListOrganizations).await?.organizations_find_by_name(&name, limit).await?)
}

pub async fn find_invitation(
    store: &Store,
    principal: &Principal,
    id: InvitationId,
) -> Result<InvitationRow, ChangeError> {
    let found = store.read(principal, Operation::ListOrganizations).await?.invitation_find(id).await?;
    Ok(found.ok_or(Refusal::NotFound("invitation"))?)
}
