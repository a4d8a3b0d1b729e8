//! The list of the user's organizations.

use super::{Field, Layout, Shell};
use crate::messages::{Message, Text};
use crate::model::ids::OrganizationId;
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::store::MOST_COUNTED;
use askama::Template;

/// `/auth/organizations`.
#[derive(Template)]
#[template(path = "organizations.html")]
pub struct OrganizationsPage<'a> {
    pub layout: &'a Shell<'a>,
    /// The redirect target after a switch, already validated.
    pub return_to: Option<&'a str>,
    pub notice: Option<&'a Message>,
    /// The organizations, oldest membership first.
    pub organizations: &'a [OrganizationLine<'a>],
    pub may_create: bool,
}

/// `/auth/organizations/new`.
#[derive(Template)]
#[template(path = "organization_new.html")]
pub struct NewOrganizationPage<'a> {
    pub layout: &'a Shell<'a>,
    pub name: Field<'a>,
}

#[derive(Clone, Copy, Debug)]
pub struct OrganizationLine<'a> {
    pub id: OrganizationId,
    pub name: &'a str,
    pub kind: OrganizationKind,
    pub role: MemberRole,
    /// How many members it has, counted up to [`MOST_COUNTED`].
    pub members: i64,
    pub active: bool,
}

/// A team by its name, the person's own by what it is.
pub(super) fn title(layout: &Layout<'_>, kind: OrganizationKind, name: &str) -> String {
    match kind {
        OrganizationKind::Team => name.to_owned(),
        OrganizationKind::Personal => layout.t("kind").with("kind", kind.as_str()).to_string(),
    }
}

impl NewOrganizationPage<'_> {
    fn has_error(&self) -> bool {
        self.layout.form_error.is_some() || self.name.error.is_some()
    }
}

impl OrganizationLine<'_> {
    const fn shape(&self) -> &'static str {
        match self.kind {
            OrganizationKind::Team => "team",
            OrganizationKind::Personal => "",
        }
    }

    fn title(&self, layout: &Layout<'_>) -> String {
        title(layout, self.kind, self.name)
    }

    fn line<'a>(&self, layout: &Layout<'a>) -> Text<'a> {
        match self.kind {
            OrganizationKind::Personal => layout.t("organizations-line-personal").with("name", self.name.to_owned()),
            OrganizationKind::Team => {
                let line = layout.t("organizations-line").with("role", self.role.as_str());
                if self.members < MOST_COUNTED {
                    line.with("members", self.members)
                } else {
                    line.with("members", format!("{}+", MOST_COUNTED - 1))
                }
            }
        }
    }
}
