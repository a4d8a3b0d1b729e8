//! The pages for one member, and for leaving or deleting an organization or account.

use super::{Icon, MemberLine, OrganizationHeader, Shell};
use crate::messages::Message;
use askama::Template;

/// `/auth/organizations/{id}/members/{user}`.
#[derive(Template)]
#[template(path = "member.html")]
pub struct MemberPage<'a> {
    pub layout: &'a Shell<'a>,
    pub organization: OrganizationHeader<'a>,
    pub member: MemberLine<'a>,
}

/// `/auth/organizations/{id}/members/{user}/remove`.
#[derive(Template)]
#[template(path = "member_remove.html")]
pub struct RemoveMemberPage<'a> {
    pub layout: &'a Shell<'a>,
    pub organization: OrganizationHeader<'a>,
    pub member: MemberLine<'a>,
}

/// `/auth/organizations/{id}/leave`.
#[derive(Template)]
#[template(path = "organization_leave.html")]
pub struct LeaveOrganizationPage<'a> {
    pub layout: &'a Shell<'a>,
    pub organization: OrganizationHeader<'a>,
    /// Whether the viewer may leave: there is another owner.
    pub may_leave: bool,
}

/// `/auth/organizations/{id}/delete`.
#[derive(Template)]
#[template(path = "organization_delete.html")]
pub struct DeleteOrganizationPage<'a> {
    pub layout: &'a Shell<'a>,
    pub organization: OrganizationHeader<'a>,
    /// What to type: the visible part of the organization's name, or its id.
    pub confirmation: &'a str,
    /// The field that repeats it.
    pub typed_name: super::Field<'a>,
}

/// `/auth/account/delete`.
#[derive(Template)]
#[template(path = "account_delete.html")]
pub struct DeleteAccountPage<'a> {
    pub layout: &'a Shell<'a>,
    /// The account's email address, or its username if it has none.
    pub account: &'a str,
    /// The names of the teams that are deleted with it.
    pub deleted: &'a [String],
    /// The names of the teams that it only leaves.
    pub left: &'a [String],
    /// Whether to ask for the password; without one, a passkey was asked for before.
    pub has_password: bool,
    pub password_error: Option<&'a Message>,
}
