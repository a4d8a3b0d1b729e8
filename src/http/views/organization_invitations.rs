//! The invitations of an organization, and the form that makes them.

use super::{Field, Icon, Layout, NavigationItem, OrganizationHead};
use crate::messages::{Key, Message, Text};
use crate::model::ids::InvitationId;
use crate::model::organization::MemberRole;
use crate::model::time::Time;
use askama::Template;

/// `/auth/organizations/{id}/invitations`.
#[derive(Template)]
#[template(path = "organization_invitations.html")]
pub struct OrganizationInvitationsPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The forms' CSRF token.
    pub csrf: &'a str,
    /// The account navigation.
    pub sections: &'a [NavigationItem],
    /// The head of the organization's pages.
    pub head: OrganizationHead<'a>,
    /// What was just done.
    pub notice: Option<&'a Message>,
    /// The links just created.
    pub links: &'a [NewInvitationLink],
    /// Whether other links to the same were emailed.
    pub are_mailed: bool,
    /// The pending and expired invitations.
    pub pending: &'a [InvitationLine<'a>],
    /// Whether the viewer must verify their own address first, instead of a form.
    pub must_verify: bool,
    /// The field for the addresses of new invitations.
    pub email: Field<'a>,
    /// Those of several addresses that were refused.
    pub refused: &'a [RefusedAddress],
    /// The selected role of new invitations.
    pub role: MemberRole,
    /// An error of the role field.
    pub role_error: Option<&'a Message>,
    /// Why the last action was refused.
    pub form_error: Option<&'a Message>,
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
#[derive(Clone)]
pub struct NewInvitationLink {
    /// The invited email address.
    pub email: String,
    /// The link.
    pub url: String,
    /// When it expires.
    pub expires_at: Time,
}

/// Omits the link.
impl std::fmt::Debug for NewInvitationLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewInvitationLink").field("email", &self.email).finish_non_exhaustive()
    }
}

/// An address that was not invited.
#[derive(Clone, Debug)]
pub struct RefusedAddress {
    /// The address, as it was typed.
    pub email: String,
    /// Why not.
    pub why: Message,
}

impl OrganizationInvitationsPage<'_> {
    fn has_error(&self) -> bool {
        [self.form_error, self.email.error, self.role_error].iter().any(Option::is_some)
    }

    /// Who was invited.
    fn links_heading(&self) -> Text<'_> {
        let layout = self.layout;
        match self.links {
            [link] if self.are_mailed => {
                layout.t("organization-link-mailed").with("email", layout.address_text(&link.email))
            }
            [_] => layout.t("organization-link-made"),
            several => {
                let key = if self.are_mailed { "organization-links-mailed" } else { "organization-links-made" };
                layout.t(key).with("count", several.len())
            }
        }
    }

    /// What the links are for.
    const fn links_explanation(&self) -> Key {
        Key(match (self.links.len(), self.are_mailed) {
            (1, true) => "organization-link-mailed-why",
            (1, false) => "organization-link-why",
            (_, true) => "organization-links-mailed-why",
            (_, false) => "organization-links-why",
        })
    }
}

impl InvitationLine<'_> {
    const fn state_key(&self) -> Key {
        if self.expired { Key("organization-invitation-expired") } else { Key("organization-invitation-until") }
    }
}
