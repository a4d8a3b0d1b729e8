//! The account page: who I am.

use super::Chrome;
use crate::messages::{Key, Message};
use crate::model::ids::UserId;
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::model::time::Time;
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
    /// What was just done.
    pub done: Option<&'a Message>,
    /// Whether the proof of the address is asked for.
    pub unproved: bool,
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
pub fn account_sections(current: &str) -> [Section; 5] {
    let section = |href, label| Section { href, label, current: href == current };
    [
        section("/auth/account", Key("account-section")),
        section("/auth/account/security", Key("security-title")),
        section("/auth/account/sessions", Key("sessions-title")),
        section("/auth/account/activity", Key("activity-title")),
        section("/auth/organizations", Key("organizations-section")),
    ]
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
