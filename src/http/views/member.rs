//! One member, and the end of a membership.

use super::{Chrome, MemberLine, Place, Section};
use crate::messages::Message;
use askama::Template;

/// `/auth/organizations/{id}/members/{user}`.
#[derive(Template)]
#[template(path = "member.html")]
pub struct MemberPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The forms' CSRF token.
    pub csrf: &'a str,
    /// The pages to move between.
    pub sections: &'a [Section],
    /// The organization and the viewer's place in it.
    pub organization: Place<'a>,
    /// The member.
    pub member: MemberLine<'a>,
    /// What is wrong with what was asked for.
    pub form_error: Option<&'a Message>,
}

/// `/auth/organizations/{id}/leave`.
#[derive(Template)]
#[template(path = "organization_leave.html")]
pub struct LeaveOrganizationPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The pages to move between.
    pub sections: &'a [Section],
    /// The organization and the viewer's place in it.
    pub organization: Place<'a>,
    /// Why it cannot be left.
    pub form_error: Option<&'a Message>,
}

/// `/auth/organizations/{id}/delete`.
#[derive(Template)]
#[template(path = "organization_delete.html")]
pub struct DeleteOrganizationPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The pages to move between.
    pub sections: &'a [Section],
    /// The organization and the viewer's place in it.
    pub organization: Place<'a>,
    /// What was typed as its name.
    pub typed: super::Field<'a>,
    /// Why it cannot be deleted.
    pub form_error: Option<&'a Message>,
}

/// `/auth/account/delete`.
#[derive(Template)]
#[template(path = "account_delete.html")]
pub struct DeleteAccountPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The pages to move between.
    pub sections: &'a [Section],
    /// E-mail address of the account.
    pub email: &'a str,
    /// Whether the password is asked for; without one, a passkey was before.
    pub has_password: bool,
    /// What is wrong with the password.
    pub password_error: Option<&'a Message>,
    /// Why it cannot be deleted.
    pub form_error: Option<&'a Message>,
}
