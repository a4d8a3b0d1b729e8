//! What members may see of an organization.

use super::refusal::OrganizationError;
use super::rules::Seen;
use crate::context::App;
use crate::domain::account::identity::fold;
use crate::model::ids::{OrganizationId, UserId};
use crate::store::{InvitationRow, MemberRow};
use uuid::Uuid;

/// Members on one page.
pub const PAGE: i64 = 50;
/// Parts of names are searched among so many members, whole names among all.
const SEARCHED: i64 = 1000;
/// No name or address is longer.
const SEARCH_MAX: usize = 254;
/// More invitations are never shown; at most a hundred can be accepted at a time, others have expired.
const INVITATIONS: i64 = 300;

/// One page of members.
pub struct MembersPage {
    /// The members.
    pub members: Vec<MemberRow>,
    /// After whom the next page begins, if there is one.
    pub next: Option<UserId>,
}

/// An organization, for one of its members.
pub async fn organization(app: &App, org: OrganizationId, user: UserId) -> Result<Seen, OrganizationError> {
    let not_found = || OrganizationError::NotFound("organization");
    let mut conn = app.store.read().await?;
    let role = conn.member_role(org, user).await?.ok_or_else(not_found)?;
    let organization = conn.organization_find(org).await?.ok_or_else(not_found)?;
    Ok(Seen { organization, role })
}

/// Members of an organization: those who match `search`, or if that is empty a page after `after`.
pub async fn members(
    app: &App,
    org: OrganizationId,
    search: &str,
    after: Option<UserId>,
) -> Result<MembersPage, OrganizationError> {
    let mut conn = app.store.read().await?;
    let key = fold(search);
    if key.chars().count() > SEARCH_MAX {
        return Ok(MembersPage { members: Vec::new(), next: None });
    }
    if !key.is_empty() {
        let mut members = conn.members_like(org, &pattern(&key), SEARCHED, PAGE).await?;
        if let Some(exact) = conn.member_find_by_key(org, &key).await?
            && members.iter().all(|member| member.user_id != exact.user_id)
        {
            members.insert(0, exact);
        }
        return Ok(MembersPage { members, next: None });
    }
    let mut members = conn.members_page(org, after.unwrap_or(UserId(Uuid::nil())), PAGE + 1).await?;
    let more = i64::try_from(members.len()).is_ok_and(|found| found > PAGE);
    if more {
        members.pop();
    }
    let next = members.last().filter(|_| more).map(|last| last.user_id);
    Ok(MembersPage { members, next })
}

/// `LIKE` for a part of a name, its own signs taken literally.
fn pattern(key: &str) -> String {
    format!("%{}%", key.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"))
}

/// The invitations of an organization that wait for an answer, or have expired of themselves.
pub async fn invitations(app: &App, org: OrganizationId) -> Result<Vec<InvitationRow>, OrganizationError> {
    Ok(app.store.read().await?.invitations_pending(org, INVITATIONS).await?)
}
