//! The pages of one organization, as tabs: members and settings; the invitations have a file of their own.

use super::{Field, Icon, Layout, Shell, organizations};
use crate::messages::{Key, Message, Text};
use crate::model::ids::{OrganizationId, UserId};
use crate::model::mail_domain::in_letters;
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::model::user_label::UserLabel;
use askama::Template;

/// `/auth/organizations/{id}` of a team: its members.
#[derive(Template)]
#[template(path = "organization.html")]
pub struct OrganizationPage<'a> {
    pub layout: &'a Shell<'a>,
    pub head: OrganizationHead<'a>,
    pub notice: Option<&'a Message>,
    pub members: &'a [MemberLine<'a>],
    /// How many there are, where they stand on several pages.
    pub counted: Option<i64>,
    /// Whether there are enough members for a search.
    pub is_searchable: bool,
    /// Whether the viewer is the only member.
    pub is_alone: bool,
    /// The search term; empty without a search.
    pub search: &'a str,
    pub has_previous_page: bool,
    /// The place after which the next page begins.
    pub next: Option<&'a str>,
}

/// `/auth/organizations/{id}/settings`, and the only page of a personal organization.
#[derive(Template)]
#[template(path = "organization_settings.html")]
pub struct OrganizationSettingsPage<'a> {
    pub layout: &'a Shell<'a>,
    pub head: OrganizationHead<'a>,
    pub notice: Option<&'a Message>,
    pub rename: Field<'a>,
}

/// The head of an organization's own pages.
#[derive(Clone, Copy, Debug)]
pub struct OrganizationHead<'a> {
    pub organization: OrganizationHeader<'a>,
    pub tab: OrganizationTab,
    pub is_active: bool,
    pub may_invite: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrganizationTab {
    Members,
    Invitations,
    /// Its name, and the ways out of it.
    Settings,
}

/// An organization and the viewer's role in it.
#[derive(Clone, Copy, Debug)]
pub struct OrganizationHeader<'a> {
    pub id: OrganizationId,
    pub name: &'a str,
    pub kind: OrganizationKind,
    pub role: MemberRole,
}

#[derive(Clone, Copy, Debug)]
pub struct MemberLine<'a> {
    pub id: UserId,
    pub label: UserLabel<'a>,
    pub role: MemberRole,
    pub is_viewer: bool,
    /// Whether the viewer may change the role or remove the member.
    pub changeable: bool,
}

impl OrganizationSettingsPage<'_> {
    fn has_error(&self) -> bool {
        self.layout.form_error.is_some() || self.rename.error.is_some()
    }
}

impl OrganizationHead<'_> {
    /// The tabs that the viewer may see, each with the end of its path; a personal organization has none.
    pub(super) fn tabs(&self) -> Vec<(OrganizationTab, &'static str, Key)> {
        let all = [
            (OrganizationTab::Members, "", Key("organization-members")),
            (OrganizationTab::Invitations, "/invitations", Key("organization-invitations")),
            (OrganizationTab::Settings, "/settings", Key("organization-settings")),
        ];
        let is_seen = |tab: OrganizationTab| {
            self.organization.is_team() && (tab != OrganizationTab::Invitations || self.may_invite)
        };
        all.into_iter().filter(|(tab, ..)| is_seen(*tab)).collect()
    }

    pub(super) const fn shape(&self) -> &'static str {
        match self.organization.kind {
            OrganizationKind::Team => "team large",
            OrganizationKind::Personal => "large",
        }
    }

    pub(super) fn has_acts(&self) -> bool {
        !self.is_active || self.offers_invitations()
    }

    pub(super) fn after_switch(&self) -> String {
        format!("/auth/organizations/{}?done=switched", self.organization.id)
    }

    /// Whether the head leads to the form of invitations: beside those who are there.
    pub(super) fn offers_invitations(&self) -> bool {
        self.may_invite && self.tab == OrganizationTab::Members
    }
}

impl OrganizationHeader<'_> {
    pub(super) fn title(&self, layout: &Layout<'_>) -> String {
        organizations::title(layout, self.kind, self.name)
    }

    pub(super) fn line<'a>(&self, layout: &Layout<'a>) -> Text<'a> {
        match self.kind {
            OrganizationKind::Team => layout.t("organization-line").with("role", self.role.as_str()),
            OrganizationKind::Personal => layout.t("organizations-line-personal").with("name", self.name.to_owned()),
        }
    }

    fn is_team(&self) -> bool {
        self.kind == OrganizationKind::Team
    }

    fn can_rename(&self) -> bool {
        self.role >= MemberRole::Admin
    }

    fn is_owner(&self) -> bool {
        self.role == MemberRole::Owner
    }

    /// The roles that the viewer may assign.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "templates pass references")]
    pub(super) fn role_choices(&self, selected: &MemberRole) -> Vec<RoleChoice> {
        let all = [MemberRole::Member, MemberRole::Admin, MemberRole::Owner].into_iter();
        let choice = |role: MemberRole| RoleChoice { value: role.as_str(), selected: role == *selected };
        all.filter(|role| *role <= self.role).map(choice).collect()
    }
}

pub(super) struct RoleChoice {
    pub(super) value: &'static str,
    pub(super) selected: bool,
}

impl MemberLine<'_> {
    /// How the member is called, the domain of an address in letters.
    pub(super) fn called(&self) -> String {
        in_letters(self.label.called()).into_owned()
    }

    /// As [`called`](Self::called), which tells the viewer themselves.
    pub(super) fn title(&self, layout: &Layout<'_>) -> String {
        let called = self.called();
        if self.is_viewer { layout.t("organization-you").with("username", called).to_string() } else { called }
    }
}
