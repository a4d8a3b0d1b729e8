//! The navigation between the pages of an account, or of administrators.

use crate::messages::Key;

#[derive(Clone, Copy, Debug)]
pub struct NavigationItem {
    pub href: &'static str,
    pub label: Key,
    pub current: bool,
}

/// The account navigation on the page at `current`.
pub fn account_sections(current: &str) -> [NavigationItem; 5] {
    let section = |href, label| NavigationItem { href, label, current: href == current };
    [
        section("/auth/account", Key("account-section")),
        section("/auth/account/security", Key("security-title")),
        section("/auth/account/sessions", Key("sessions-title")),
        section("/auth/account/activity", Key("activity-title")),
        section("/auth/organizations", Key("organizations-section")),
    ]
}
