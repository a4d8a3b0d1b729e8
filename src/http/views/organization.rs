//! The page of one organization: members, invitations, name.

use super::{Field, Layout, NavigationItem};
use crate::messages::{Key, Message};
use crate::model::ids::{InvitationId, OrganizationId, UserId};
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::model::time::Time;
use askama::Template;

/// `/auth/organizations/{id}`.
#[derive(Template)]
#[template(path = "organization.html")]
pub struct OrganizationPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The forms' CSRF token.
    pub csrf: &'a str,
    /// The account navigation.
    pub sections: &'a [NavigationItem],
    /// The organization and the viewer's role in it.
    pub organization: OrganizationHeader<'a>,
    /// The members on this page.
    pub members: &'a [MemberLine<'a>],
    /// The search term; empty without a search.
    pub search: &'a str,
    /// Whether there is a previous page.
    pub has_previous_page: bool,
    /// The place after which the next page begins.
    pub next: Option<&'a str>,
    /// The invitations; `None` if the viewer may not see them.
    pub invitations: Option<Invitations<'a>>,
    /// The field for the new name.
    pub rename: Field<'a>,
    /// Why the last action was refused.
    pub form_error: Option<&'a Message>,
}

/// An organization and the viewer's role in it.
#[derive(Clone, Copy, Debug)]
pub struct OrganizationHeader<'a> {
    /// Its id.
    pub id: OrganizationId,
    /// Its name.
    pub name: &'a str,
    /// Personal or team.
    pub kind: OrganizationKind,
    /// The viewer's role in it.
    pub role: MemberRole,
}

/// A member in the list.
#[derive(Clone, Copy, Debug)]
pub struct MemberLine<'a> {
    /// The member.
    pub id: UserId,
    /// Username.
    pub username: &'a str,
    /// Email address.
    pub email: &'a str,
    /// The member's role.
    pub role: MemberRole,
    /// Whether the member is the viewer.
    pub is_viewer: bool,
    /// Whether the viewer may change the role or remove the member.
    pub changeable: bool,
}

/// The invitations section.
#[derive(Clone, Copy, Debug)]
pub struct Invitations<'a> {
    /// The pending and expired invitations.
    pub pending: &'a [InvitationLine<'a>],
    /// Whether the viewer must verify their own address first, instead of a form.
    pub must_verify: bool,
    /// The field for the address of a new invitation.
    pub email: Field<'a>,
    /// The selected role of a new invitation.
    pub role: MemberRole,
    /// An error of the role field.
    pub role_error: Option<&'a Message>,
    /// The link just created.
    pub link: Option<NewInvitationLink<'a>>,
}

/// An invitation in the list.
#[derive(Clone, Copy, Debug)]
pub struct InvitationLine<'a> {
    /// The invitation.
    pub id: InvitationId,
    /// The invited email address.
    pub email: &'a str,
    /// The role offered.
    pub role: MemberRole,
    /// When it expires.
    pub expires_at: Time,
    /// Whether it has expired.
    pub expired: bool,
    /// Whether the viewer may renew the link or revoke the invitation.
    pub changeable: bool,
}

/// The link of an invitation, shown once.
#[derive(Clone, Copy)]
pub struct NewInvitationLink<'a> {
    /// The invited email address.
    pub email: &'a str,
    /// The link.
    pub url: &'a str,
    /// When it expires.
    pub expires_at: Time,
    /// Whether the link was also emailed.
    pub mailed: bool,
}

/// Omits the link.
impl std::fmt::Debug for NewInvitationLink<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewInvitationLink").field("email", &self.email).finish_non_exhaustive()
    }
}

impl OrganizationPage<'_> {
    fn has_error(&self) -> bool {
        let invitation = self.invitations.and_then(|invitations| invitations.email.error.or(invitations.role_error));
        [self.form_error, self.rename.error, invitation].iter().any(Option::is_some)
    }
}

impl OrganizationHeader<'_> {
    fn is_team(&self) -> bool {
        self.kind == OrganizationKind::Team
    }

    /// Whether the viewer may rename the organization and invite members.
    fn can_manage(&self) -> bool {
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

/// An option of the role field.
pub(super) struct RoleChoice {
    pub(super) value: &'static str,
    pub(super) selected: bool,
}

impl NewInvitationLink<'_> {
    const fn explanation(&self) -> Key {
        if self.mailed { Key("organization-link-mailed-why") } else { Key("organization-link-why") }
    }
}

impl InvitationLine<'_> {
    const fn state_key(&self) -> Key {
        if self.expired { Key("organization-invitation-expired") } else { Key("organization-invitation-until") }
    }
}
