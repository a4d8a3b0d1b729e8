//! The pages for one member, and for leaving or deleting an organization or account.

use super::{Icon, Layout, MemberLine, NavigationItem, OrganizationHeader};
use crate::messages::Message;
use askama::Template;

/// `/auth/organizations/{id}/members/{user}`.
#[derive(Template)]
#[template(path = "member.html")]
pub struct MemberPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The forms' CSRF token.
    pub csrf: &'a str,
    /// The account navigation.
    pub sections: &'a [NavigationItem],
    /// The organization and the viewer's role in it.
    pub organization: OrganizationHeader<'a>,
    /// The member.
    pub member: MemberLine<'a>,
    /// Why the last action was refused.
    pub form_error: Option<&'a Message>,
}

/// `/auth/organizations/{id}/members/{user}/remove`.
#[derive(Template)]
#[template(path = "member_remove.html")]
pub struct RemoveMemberPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The account navigation.
    pub sections: &'a [NavigationItem],
    /// The organization and the viewer's role in it.
    pub organization: OrganizationHeader<'a>,
    /// The member.
    pub member: MemberLine<'a>,
    /// Why the member cannot be removed.
    pub form_error: Option<&'a Message>,
}

/// `/auth/organizations/{id}/leave`.
#[derive(Template)]
#[template(path = "organization_leave.html")]
pub struct LeaveOrganizationPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The account navigation.
    pub sections: &'a [NavigationItem],
    /// The organization and the viewer's role in it.
    pub organization: OrganizationHeader<'a>,
    /// Whether the viewer may leave: there is another owner.
    pub may_leave: bool,
    /// Why the organization cannot be left.
    pub form_error: Option<&'a Message>,
}

/// `/auth/organizations/{id}/delete`.
#[derive(Template)]
#[template(path = "organization_delete.html")]
pub struct DeleteOrganizationPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The account navigation.
    pub sections: &'a [NavigationItem],
    /// The organization and the viewer's role in it.
    pub organization: OrganizationHeader<'a>,
    /// What to type: the visible part of the organization's name, or its id.
    pub confirmation: &'a str,
    /// The field that repeats it.
    pub typed_name: super::Field<'a>,
    /// Why the organization cannot be deleted.
    pub form_error: Option<&'a Message>,
}

/// `/auth/account/delete`.
#[derive(Template)]
#[template(path = "account_delete.html")]
pub struct DeleteAccountPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The account navigation.
    pub sections: &'a [NavigationItem],
    /// The account's email address, or its username if it has none.
    pub account: &'a str,
    /// The names of the teams that are deleted with it.
    pub deleted: &'a [String],
    /// The names of the teams that it only leaves.
    pub left: &'a [String],
    /// Whether to ask for the password; without one, a passkey was asked for before.
    pub has_password: bool,
    /// An error of the password field.
    pub password_error: Option<&'a Message>,
    /// Why the account cannot be deleted.
    pub form_error: Option<&'a Message>,
}
