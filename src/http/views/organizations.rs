//! The list of somebody's organizations.

use super::{Chrome, Field, Section};
use crate::messages::{Message, Text};
use crate::model::ids::OrganizationId;
use crate::model::organization::{MemberRole, OrganizationKind};
use askama::Template;

/// `/auth/organizations`.
#[derive(Template)]
#[template(path = "organizations.html")]
pub struct OrganizationsPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The forms' CSRF token.
    pub csrf: &'a str,
    /// Where to go after a switch, already judged safe.
    pub return_to: Option<&'a str>,
    /// The pages to move between.
    pub sections: &'a [Section],
    /// The organizations, the oldest membership first.
    pub organizations: &'a [OrganizationLine<'a>],
    /// The form for a new one, where users may create any.
    pub create: Option<Field<'a>>,
    /// What is wrong with the form as a whole.
    pub form_error: Option<&'a Message>,
}

/// One organization in the list.
#[derive(Clone, Copy, Debug)]
pub struct OrganizationLine<'a> {
    /// Its id.
    pub id: OrganizationId,
    /// Its name.
    pub name: &'a str,
    /// What it is for.
    pub kind: OrganizationKind,
    /// The viewer's role in it.
    pub role: MemberRole,
    /// Whether it is the session's active one.
    pub active: bool,
}

impl OrganizationsPage<'_> {
    fn has_error(&self) -> bool {
        self.form_error.is_some() || self.create_field().error.is_some()
    }

    fn create_field(&self) -> Field<'_> {
        self.create.unwrap_or_default()
    }
}

impl OrganizationLine<'_> {
    fn kind<'a>(&self, chrome: &Chrome<'a>) -> Text<'a> {
        chrome.t("kind").with("kind", self.kind.as_str())
    }

    fn role<'a>(&self, chrome: &Chrome<'a>) -> Text<'a> {
        chrome.t("role").with("role", self.role.as_str())
    }
}
