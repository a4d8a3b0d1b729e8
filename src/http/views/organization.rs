//! One organization: its members, its invitations, its name.

use super::{Chrome, Field, Section};
use crate::messages::{Key, Message};
use crate::model::ids::{InvitationId, OrganizationId, UserId};
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::model::time::Time;
use askama::Template;

/// `/auth/organizations/{id}`.
#[derive(Template)]
#[template(path = "organization.html")]
pub struct OrganizationPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The forms' CSRF token.
    pub csrf: &'a str,
    /// The pages to move between.
    pub sections: &'a [Section],
    /// The organization and the viewer's place in it.
    pub organization: Place<'a>,
    /// The members on this page.
    pub members: &'a [MemberLine<'a>],
    /// What was searched for; empty: nothing.
    pub search: &'a str,
    /// Whether this is not the first page.
    pub continued: bool,
    /// After whom the next page begins, if there is one.
    pub next: Option<UserId>,
    /// The invitations; `None` where the viewer has nothing to do with them.
    pub invitations: Option<Invitations<'a>>,
    /// The field for another name.
    pub rename: Field<'a>,
    /// What is wrong with what was asked for.
    pub form_error: Option<&'a Message>,
}

/// An organization and the viewer's place in it.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Its id.
    pub id: OrganizationId,
    /// Its name.
    pub name: &'a str,
    /// What it is for.
    pub kind: OrganizationKind,
    /// The viewer's role in it.
    pub role: MemberRole,
}

/// One member in the list.
#[derive(Clone, Copy, Debug)]
pub struct MemberLine<'a> {
    /// The member.
    pub id: UserId,
    /// Username.
    pub username: &'a str,
    /// E-mail address.
    pub email: &'a str,
    /// What the member may do.
    pub role: MemberRole,
    /// Whether it is the viewer.
    pub is_viewer: bool,
    /// Whether the viewer may change or end the membership.
    pub changeable: bool,
}

/// The part about invitations.
#[derive(Clone, Copy, Debug)]
pub struct Invitations<'a> {
    /// Those that wait for an answer, or have expired.
    pub pending: &'a [InvitationLine<'a>],
    /// The address of a new one.
    pub email: Field<'a>,
    /// The chosen role of a new one.
    pub role: MemberRole,
    /// What is wrong with that role.
    pub role_error: Option<&'a Message>,
    /// The link just made.
    pub link: Option<NewLink<'a>>,
}

/// One invitation in the list.
#[derive(Clone, Copy, Debug)]
pub struct InvitationLine<'a> {
    /// The invitation.
    pub id: InvitationId,
    /// Who is invited.
    pub email: &'a str,
    /// As what.
    pub role: MemberRole,
    /// When it ends.
    pub expires_at: Time,
    /// Whether it has ended.
    pub expired: bool,
    /// Whether the viewer may make another link for it or take it back.
    pub changeable: bool,
}

/// The link of an invitation, seen only once.
#[derive(Clone, Copy)]
pub struct NewLink<'a> {
    /// For whom.
    pub email: &'a str,
    /// The link.
    pub url: &'a str,
    /// When it ends.
    pub expires_at: Time,
    /// Whether another one is on its way by mail.
    pub mailed: bool,
}

/// Without the link.
impl std::fmt::Debug for NewLink<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewLink").field("email", &self.email).finish_non_exhaustive()
    }
}

impl OrganizationPage<'_> {
    fn has_error(&self) -> bool {
        let invitation = self.invitations.and_then(|invitations| invitations.email.error.or(invitations.role_error));
        [self.form_error, self.rename.error, invitation].iter().any(Option::is_some)
    }
}

impl Place<'_> {
    fn is_team(&self) -> bool {
        self.kind == OrganizationKind::Team
    }

    /// Whether the viewer may rename and invite.
    fn manages(&self) -> bool {
        self.role >= MemberRole::Admin
    }

    fn owns(&self) -> bool {
        self.role == MemberRole::Owner
    }

    /// The roles that the viewer may give.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "templates pass references")]
    pub(super) fn choices(&self, selected: &MemberRole) -> Vec<RoleChoice> {
        let all = [MemberRole::Member, MemberRole::Admin, MemberRole::Owner].into_iter();
        let choice = |role: MemberRole| RoleChoice { value: role.as_str(), selected: role == *selected };
        all.filter(|role| *role <= self.role).map(choice).collect()
    }
}

/// One role to choose.
pub(super) struct RoleChoice {
    pub(super) value: &'static str,
    pub(super) selected: bool,
}

impl NewLink<'_> {
    const fn why(&self) -> Key {
        if self.mailed { Key("organization-link-mailed-why") } else { Key("organization-link-why") }
    }
}

impl InvitationLine<'_> {
    const fn state_key(&self) -> Key {
        if self.expired { Key("organization-invitation-expired") } else { Key("organization-invitation-until") }
    }
}
