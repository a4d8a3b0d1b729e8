//! What an operator sees of organizations.

use super::OrganizationError;
use crate::app::App;
use crate::domain::ids::{InvitationId, OrganizationId, UserId};
use crate::store::{InvitationRow, MemberRow, OrganizationRow};

/// The organization with this id.
pub async fn find(app: &App, org: OrganizationId) -> Result<OrganizationRow, OrganizationError> {
    let found = app.store.read().await?.organization_find(org).await?;
    found.ok_or(OrganizationError::NotFound("organization"))
}

/// At most `limit` organizations after `after`, the oldest first.
pub async fn list(app: &App, after: OrganizationId, limit: i64) -> Result<Vec<OrganizationRow>, OrganizationError> {
    Ok(app.store.read().await?.organizations_page(after, limit).await?)
}

/// At most `limit` members after `after`, the oldest accounts first.
pub async fn list_members(
    app: &App,
    org: OrganizationId,
    after: UserId,
    limit: i64,
) -> Result<Vec<MemberRow>, OrganizationError> {
    Ok(app.store.read().await?.members_page(org, after, limit).await?)
}

/// The invitation with this id.
pub async fn find_invitation(app: &App, id: InvitationId) -> Result<InvitationRow, OrganizationError> {
    let found = app.store.read().await?.invitation_find(id).await?;
    found.ok_or(OrganizationError::NotFound("invitation"))
}

/// At most `limit` invitations of an organization after `after`, whatever became of them, the oldest first.
pub async fn list_invitations(
    app: &App,
    org: OrganizationId,
    after: InvitationId,
    limit: i64,
) -> Result<Vec<InvitationRow>, OrganizationError> {
    Ok(app.store.read().await?.invitations_page(org, after, limit).await?)
}
