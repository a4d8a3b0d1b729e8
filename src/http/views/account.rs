//! The account page: who I am, and where I am logged in.

use super::Chrome;
use crate::clock::Time;
use crate::domain::ids::UserId;
use crate::domain::organizations::{MemberRole, OrganizationKind};
use crate::messages::Key;
use askama::Template;

/// `/auth/account`.
#[derive(Template)]
#[template(path = "account.html")]
pub struct AccountPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The pages to move between; shown from two on.
    pub sections: &'a [Section],
    /// Who I am.
    pub user: Person<'a>,
    /// The session's active organization.
    pub organization: Membership<'a>,
    /// The session the page is seen with.
    pub session: CurrentSession<'a>,
    /// When a session of this user was last ended because an old refresh token came back, if that is news.
    pub stolen_token_at: Option<Time>,
}

/// A page of the account, in its navigation.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Its path.
    pub href: &'static str,
    /// Its name.
    pub label: Key,
    /// Whether it is the one being seen.
    pub current: bool,
}

/// The pages of an account, seen from the one at `current`.
pub fn account_sections(current: &str) -> [Section; 2] {
    let section = |href, label| Section { href, label, current: href == current };
    [section("/auth/account", Key("account-section")), section("/auth/organizations", Key("organizations-section"))]
}

/// A user, as shown to themselves.
#[derive(Clone, Copy, Debug)]
pub struct Person<'a> {
    /// The account's id.
    pub id: UserId,
    /// Username.
    pub username: &'a str,
    /// E-mail address.
    pub email: &'a str,
    /// Platform roles, such as `svc:admin`.
    pub roles: &'a [String],
    /// When the account was made.
    pub created_at: Time,
}

/// An organization and the viewer's place in it.
#[derive(Clone, Copy, Debug)]
pub struct Membership<'a> {
    /// The organization's name.
    pub name: &'a str,
    /// What it is for.
    pub kind: OrganizationKind,
    /// What the viewer may do in it.
    pub role: MemberRole,
}

/// The session a page is seen with.
#[derive(Clone, Copy, Debug)]
pub struct CurrentSession<'a> {
    /// The device in words, such as "Firefox on Linux".
    pub device: &'a str,
    /// The client's address at log-in.
    pub address: &'a str,
    /// When it began.
    pub started_at: Time,
    /// When it was last used, to the minute.
    pub last_used_at: Time,
}
