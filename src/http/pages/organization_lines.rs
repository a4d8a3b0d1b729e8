//! The parts that several pages of an organization show.

use crate::domain::organization::rules::Seen;
use crate::http::views::{MemberLine, Place};
use crate::model::ids::{OrganizationId, UserId};
use crate::store::MemberRow;

/// The path of an organization's page.
pub(super) fn path(org: OrganizationId) -> String {
    format!("/auth/organizations/{org}")
}

/// The organization for a view.
pub(super) fn place(seen: &Seen) -> Place<'_> {
    let organization = &seen.organization;
    Place { id: organization.id, name: &organization.name, kind: organization.kind, role: seen.role }
}

/// A member for a view.
pub(super) fn member_line<'a>(row: &'a MemberRow, viewer: UserId, seen: &Seen) -> MemberLine<'a> {
    MemberLine {
        id: row.user_id,
        username: &row.username,
        email: &row.email,
        role: row.role,
        is_viewer: row.user_id == viewer,
        changeable: seen.may_change(row.role).is_ok(),
    }
}
