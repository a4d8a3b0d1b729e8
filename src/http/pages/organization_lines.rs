//! View parts shared by the pages of an organization.

use crate::domain::directory::member::MemberRecord;
use crate::domain::organization::rules::MembershipView;
use crate::http::views::{MemberLine, OrganizationHeader};
use crate::model::ids::{OrganizationId, UserId};

/// The path of an organization's page.
pub(super) fn path(org: OrganizationId) -> String {
    format!("/auth/organizations/{org}")
}

/// The header of the organization.
pub(super) fn organization_header(membership: &MembershipView) -> OrganizationHeader<'_> {
    let organization = &membership.organization;
    OrganizationHeader { id: organization.id, name: &organization.name, kind: organization.kind, role: membership.role }
}

/// One line of the member list.
pub(super) fn member_line<'a>(row: &'a MemberRecord, viewer: UserId, membership: &MembershipView) -> MemberLine<'a> {
    MemberLine {
        id: row.user_id,
        username: &row.username,
        email: &row.email,
        role: row.role,
        is_viewer: row.user_id == viewer,
        changeable: membership.may_change(row.role).is_ok(),
    }
}
