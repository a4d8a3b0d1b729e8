//! The pages of administrators: one design of a list, one of a detail page, one of an act. A page is values in these.

mod act;
mod chart;
mod detail;
mod list;
mod overview;
mod table;

pub use act::{ActParent, AdminActPage, AdminField, AdminFieldKind, Choice};
pub use chart::Chart;
pub use detail::{AdminDetailPage, AdminPart, PartContent};
pub use list::{AdminListPage, FilterKind, ListFilter};
pub use overview::AdminOverviewPage;
pub use table::{Cell, Cells, Table};

use super::NavigationItem;
use crate::messages::Key;
use crate::model::principal::{Operation, Principal};

#[derive(Clone, Debug)]
pub struct ActLink {
    pub href: String,
    pub label: Key,
    pub is_dangerous: bool,
}

/// The sections of the pages, with what is needed to see each.
const SECTIONS: [(&str, Key, Operation); 8] = [
    ("/auth/admin", Key("admin-overview"), Operation::ReadOverview),
    ("/auth/admin/people", Key("admin-people"), Operation::FindUsers),
    ("/auth/admin/organizations", Key("organizations-section"), Operation::ListOrganizations),
    ("/auth/admin/deliveries", Key("admin-deliveries"), Operation::ReadDeliveries),
    ("/auth/admin/audit", Key("admin-audit"), Operation::ReadActivity),
    ("/auth/admin/api-keys", Key("admin-api-keys"), Operation::ReadApiKeys),
    ("/auth/admin/providers", Key("admin-providers"), Operation::ReadProviders),
    ("/auth/admin/settings", Key("admin-settings"), Operation::ReadSettings),
];

/// The navigation on the page at `current`, as far as its reader may see the pages.
pub fn admin_sections(principal: &Principal, current: &str) -> Vec<NavigationItem> {
    let permitted = SECTIONS.into_iter().filter(|(_, _, operation)| principal.require(*operation).is_ok());
    permitted.map(|(href, label, _)| NavigationItem { href, label, current: is_within(href, current) }).collect()
}

/// Whether a page is that of the section, or of a thing or an act in it.
fn is_within(section: &str, page: &str) -> bool {
    let rest = page.strip_prefix(section);
    rest.is_some_and(|rest| rest.is_empty() || section != "/auth/admin" && rest.starts_with('/'))
}
