//! View parts shared by the pages of an organization.

use super::page_context::PageContext;
use crate::domain::directory::member::MemberRecord;
use crate::domain::organization::rules::MembershipView;
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{MemberLine, OrganizationHead, OrganizationHeader, OrganizationTab};
use crate::messages::Message;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::OrganizationKind;
use crate::model::principal::Operation;

pub(super) fn path(org: OrganizationId) -> String {
    format!("/auth/organizations/{org}")
}

pub(super) fn organization_header(membership: &MembershipView) -> OrganizationHeader<'_> {
    let organization = &membership.organization;
    OrganizationHeader { id: organization.id, name: &organization.name, kind: organization.kind, role: membership.role }
}

/// The head of the organization's own pages.
pub(super) async fn organization_head<'a>(
    context: &PageContext,
    live: &LiveSession,
    membership: &'a MembershipView,
    tab: OrganizationTab,
) -> Result<OrganizationHead<'a>, PageError> {
    let organization = organization_header(membership);
    let is_active = active_organization(context, live).await? == Some(organization.id);
    Ok(OrganizationHead {
        organization,
        tab,
        is_active,
        may_invite: membership.may_invite(context.app.settings.accounts.org_mode).is_ok(),
    })
}

/// The organization that the session works in.
pub(super) async fn active_organization(
    context: &PageContext,
    live: &LiveSession,
) -> Result<Option<OrganizationId>, PageError> {
    let mut conn =
        context.app.store.read_own(&context.principal(live), Operation::ReadOwnAccount, live.view.user_id).await?;
    Ok(conn.membership_of_session(live.id).await?.map(|active| active.organization_id))
}

/// The message for the value of `?done=`, which may name the organization.
pub(super) fn done_notice(
    context: &PageContext,
    messages: &[(&str, &'static str)],
    (kind, name): (OrganizationKind, &str),
) -> Option<Message> {
    let message = context.done_message(messages)?;
    Some(message.text("organization", name).text("kind", kind.as_str()))
}

pub(super) fn member_line<'a>(row: &'a MemberRecord, viewer: UserId, membership: &MembershipView) -> MemberLine<'a> {
    MemberLine {
        id: row.user_id,
        label: row.label(),
        role: row.role,
        is_viewer: row.user_id == viewer,
        changeable: membership.may_change(row.role).is_ok(),
    }
}
