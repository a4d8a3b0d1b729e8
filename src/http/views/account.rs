//! The account page: profile and active organization.

use super::{Icon, Layout, OrganizationHeader};
use crate::messages::{Key, Message};
use crate::model::ids::UserId;
use crate::model::time::Time;
use askama::Template;

/// `/auth/account`.
#[derive(Template)]
#[template(path = "account.html")]
pub struct AccountPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The account navigation; shown if it has at least two items.
    pub sections: &'a [NavigationItem],
    /// The logged-in user.
    pub user: Profile<'a>,
    /// The session's active organization.
    pub organization: OrganizationHeader<'a>,
    /// Confirms what was just done.
    pub notice: Option<&'a Message>,
    /// What the user is asked to do about the email address.
    pub address_task: Option<AddressTask>,
    /// When refresh token reuse last ended a session of this user, if recent.
    pub stolen_token_at: Option<Time>,
}

/// What the user is asked to do about the email address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressTask {
    /// Verify it.
    Verify,
    /// Add one: the account has none.
    Add,
}

/// An item of the account navigation.
#[derive(Clone, Copy, Debug)]
pub struct NavigationItem {
    /// Its path.
    pub href: &'static str,
    /// Its title.
    pub label: Key,
    /// Whether it is the current page.
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

/// The user's own profile.
#[derive(Clone, Copy, Debug)]
pub struct Profile<'a> {
    /// The account's id.
    pub id: UserId,
    /// Username.
    pub username: &'a str,
    /// What the user is called.
    pub name: Option<&'a str>,
    /// Email address.
    pub email: &'a str,
    /// Whether it is verified.
    pub is_verified: bool,
    /// Platform roles, such as `svc:admin`.
    pub roles: &'a [String],
    /// When the account was created.
    pub created_at: Time,
}

impl Profile<'_> {
    /// What the page calls the user.
    fn title(&self) -> &str {
        self.name.unwrap_or(self.username)
    }
}

impl AccountPage<'_> {
    fn asks(&self, task: AddressTask) -> bool {
        self.address_task == Some(task)
    }

    /// Whether to say if the address is verified: not where no address has to be.
    fn says_verified(&self) -> bool {
        self.user.is_verified || self.asks(AddressTask::Verify)
    }
}
