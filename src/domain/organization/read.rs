//! Queries of members on an organization.

use super::rules::{MembershipView, require_other_owner};
use crate::context::App;
use crate::domain::directory::invitation::{self, InvitationFilter, InvitationRecord};
use crate::domain::directory::list::{ListRange, Listing};
use crate::domain::directory::member::{self, MemberRecord};
use crate::domain::directory::search::Search;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::MemberRole;
use crate::model::principal::{Operation, Principal};
use crate::refusal::{ChangeError, Refusal};

/// No username or address is longer.
const MAX_SEARCH_LEN: usize = 254;
/// At most a hundred of an organization are pending; the others have expired.
const MAX_LISTED_INVITATIONS: u32 = 1000;

/// Returns an organization, and the role of the person in it.
pub async fn organization(
    app: &App,
    principal: &Principal,
    org: OrganizationId,
) -> Result<MembershipView, ChangeError> {
    let not_found = || Refusal::NotFound("organization");
    let mut conn = app.store.read(principal, Operation::ReadOrganization).await?;
    let user = principal.user_id().ok_or_else(not_found)?;
    let role = conn.member_role(org, user).await?.ok_or_else(not_found)?;
    let organization = conn.organization_find(org).await?.ok_or_else(not_found)?;
    Ok(MembershipView { organization, role })
}

/// Lists the members of one's organization; those that `search` finds, unless it is empty.
pub async fn members(
    app: &App,
    principal: &Principal,
    membership: &MembershipView,
    search: &str,
    range: ListRange,
) -> Result<Listing<MemberRecord>, ChangeError> {
    let search = search.trim();
    if search.chars().count() > MAX_SEARCH_LEN {
        return Ok(Listing { data: Vec::new(), next: None, is_cut: false });
    }
    let search = Some(search).filter(|search| !search.is_empty()).map(Search::parse);
    let mut conn = app.store.read(principal, Operation::ReadOrganization).await?;
    Ok(member::list(&mut conn, membership.organization.id, search.as_ref(), range).await?)
}

pub async fn member_count(app: &App, principal: &Principal, membership: &MembershipView) -> Result<i64, ChangeError> {
    let mut conn = app.store.read(principal, Operation::ReadOrganization).await?;
    let counted = conn.organization_counted(membership.organization.id).await?;
    Ok(counted.ok_or(Refusal::NotFound("organization"))?.members)
}

/// Whether one may leave now: an organization keeps an owner.
pub async fn may_leave(app: &App, principal: &Principal, membership: &MembershipView) -> Result<(), ChangeError> {
    let user = principal.user_id().ok_or(Refusal::NotFound("organization"))?;
    let mut conn = app.store.read(principal, Operation::ReadOrganization).await?;
    require_other_owner(&mut conn, membership.organization.id, user, membership.role).await
}

/// One member of one's organization.
pub async fn member(
    app: &App,
    principal: &Principal,
    membership: &MembershipView,
    user: UserId,
) -> Result<MemberRecord, ChangeError> {
    let mut conn = app.store.read(principal, Operation::ReadOrganization).await?;
    let found = member::find(&mut conn, membership.organization.id, user).await?;
    Ok(found.ok_or(Refusal::NotFound("member"))?)
}

/// Lists, for its admins, the invitations of an organization that are pending, or have expired without an answer.
pub async fn invitations(
    app: &App,
    principal: &Principal,
    membership: &MembershipView,
) -> Result<Vec<InvitationRecord>, ChangeError> {
    membership.require_role(MemberRole::Admin)?;
    let mut conn = app.store.read(principal, Operation::ReadOrganization).await?;
    let range = ListRange::first(MAX_LISTED_INVITATIONS);
    let org = membership.organization.id;
    Ok(invitation::list(&mut conn, org, InvitationFilter::Open, app.clock.now(), range).await?.data)
}
