//! The list of the user's organizations.

use super::{Field, Layout, NavigationItem};
use crate::messages::{Message, Text};
use crate::model::ids::OrganizationId;
use crate::model::organization::{MemberRole, OrganizationKind};
use askama::Template;

/// `/auth/organizations`.
#[derive(Template)]
#[template(path = "organizations.html")]
pub struct OrganizationsPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The forms' CSRF token.
    pub csrf: &'a str,
    /// The redirect target after a switch, already validated.
    pub return_to: Option<&'a str>,
    /// The account navigation.
    pub sections: &'a [NavigationItem],
    /// The organizations, oldest membership first.
    pub organizations: &'a [OrganizationLine<'a>],
    /// The field for the name of a new one, where users may create teams.
    pub create: Option<Field<'a>>,
    /// An error of the whole form.
    pub form_error: Option<&'a Message>,
}

/// An organization in the list.
#[derive(Clone, Copy, Debug)]
pub struct OrganizationLine<'a> {
    /// Its id.
    pub id: OrganizationId,
    /// Its name.
    pub name: &'a str,
    /// Personal or team.
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
    fn kind<'a>(&self, layout: &Layout<'a>) -> Text<'a> {
        layout.t("kind").with("kind", self.kind.as_str())
    }

    fn role<'a>(&self, layout: &Layout<'a>) -> Text<'a> {
        layout.t("role").with("role", self.role.as_str())
    }
}
