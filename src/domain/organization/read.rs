//! Queries of members on an organization.

use super::refusal::OrganizationError;
use super::rules::MembershipView;
use crate::context::App;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::mail_domain;
use crate::model::organization::MemberRole;
use crate::model::principal::{Operation, Principal};
use crate::store::{InvitationRow, MemberRow};
use uuid::Uuid;

/// Members per page.
pub const PAGE_SIZE: i64 = 50;
/// A partial match scans at most this number of members; an exact match is found among all.
const MAX_SCANNED_MEMBERS: i64 = 1000;
/// No username or address is longer.
const MAX_SEARCH_LEN: usize = 254;
/// Listed per organization. At most a hundred of them are pending; the others have expired.
const MAX_LISTED_INVITATIONS: i64 = 300;

/// One page of members.
pub struct MembersPage {
    /// The members.
    pub members: Vec<MemberRow>,
    /// The cursor of the next page, if there is one.
    pub next: Option<UserId>,
}

/// Returns an organization, and the role of the person in it.
pub async fn organization(
    app: &App,
    principal: &Principal,
    org: OrganizationId,
) -> Result<MembershipView, OrganizationError> {
    let not_found = || OrganizationError::NotFound("organization");
    let mut conn = app.store.read(principal, Operation::ReadOrganization).await?;
    let user = principal.user_id().ok_or_else(not_found)?;
    let role = conn.member_role(org, user).await?.ok_or_else(not_found)?;
    let organization = conn.organization_find(org).await?.ok_or_else(not_found)?;
    Ok(MembershipView { organization, role })
}

/// Returns the members of one's organization that match `search`, or a page after `after` if it is empty.
pub async fn members(
    app: &App,
    principal: &Principal,
    membership: &MembershipView,
    search: &str,
    after: Option<UserId>,
) -> Result<MembersPage, OrganizationError> {
    let mut conn = app.store.read(principal, Operation::ReadOrganization).await?;
    let org = membership.organization.id;
    let key = mail_domain::key(search);
    if key.chars().count() > MAX_SEARCH_LEN {
        return Ok(MembersPage { members: Vec::new(), next: None });
    }
    if !key.is_empty() {
        let mut members = conn.members_like(org, &like_pattern(&key), MAX_SCANNED_MEMBERS, PAGE_SIZE).await?;
        if let Some(exact) = conn.member_find_by_key(org, &key).await?
            && members.iter().all(|member| member.user_id != exact.user_id)
        {
            members.insert(0, exact);
        }
        return Ok(MembersPage { members, next: None });
    }
    let mut members = conn.members_page(org, after.unwrap_or(UserId(Uuid::nil())), PAGE_SIZE + 1).await?;
    let has_more = i64::try_from(members.len()).is_ok_and(|found| found > PAGE_SIZE);
    if has_more {
        members.pop();
    }
    let next = members.last().filter(|_| has_more).map(|last| last.user_id);
    Ok(MembersPage { members, next })
}

/// The `LIKE` pattern for a substring, with its wildcards escaped.
fn like_pattern(key: &str) -> String {
    format!("%{}%", key.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"))
}

/// Lists, for its admins, the invitations of an organization that are pending, or have expired without an answer.
pub async fn invitations(
    app: &App,
    principal: &Principal,
    membership: &MembershipView,
) -> Result<Vec<InvitationRow>, OrganizationError> {
    membership.require_role(MemberRole::Admin)?;
    let mut conn = app.store.read(principal, Operation::ReadOrganization).await?;
    Ok(conn.invitations_pending(membership.organization.id, MAX_LISTED_INVITATIONS).await?)
}
