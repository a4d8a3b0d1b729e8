//! The invitations of an organization, and the form that makes them.

use super::{Field, Icon, OrganizationHead, Shell};
use crate::messages::{Key, Message, Text};
use crate::model::ids::InvitationId;
use crate::model::organization::MemberRole;
use crate::model::time::Time;
use askama::Template;

/// `/auth/organizations/{id}/invitations`.
#[derive(Template)]
#[template(path = "organization_invitations.html")]
pub struct OrganizationInvitationsPage<'a> {
    pub layout: &'a Shell<'a>,
    pub head: OrganizationHead<'a>,
    pub notice: Option<&'a Message>,
    pub links: &'a [NewInvitationLink],
    /// Whether other links to the same were emailed.
    pub are_mailed: bool,
    /// The pending and expired invitations.
    pub pending: &'a [InvitationLine<'a>],
    /// Whether the viewer must verify their own address first, instead of a form.
    pub must_verify: bool,
    pub email: Field<'a>,
    /// Those of several addresses that were refused.
    pub refused: &'a [RefusedAddress],
    pub role: MemberRole,
    pub role_error: Option<&'a Message>,
}

#[derive(Clone, Copy, Debug)]
pub struct InvitationLine<'a> {
    pub id: InvitationId,
    pub email: &'a str,
    pub role: MemberRole,
    pub expires_at: Time,
    pub expired: bool,
    /// Whether the viewer may renew the link or revoke the invitation.
    pub changeable: bool,
}

/// The link of an invitation, shown once.
#[derive(Clone)]
pub struct NewInvitationLink {
    pub email: String,
    pub url: String,
    pub expires_at: Time,
}

/// Omits the link.
impl std::fmt::Debug for NewInvitationLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewInvitationLink").field("email", &self.email).finish_non_exhaustive()
    }
}

#[derive(Clone, Debug)]
pub struct RefusedAddress {
    /// The address, as it was typed.
    pub email: String,
    pub why: Message,
}

impl OrganizationInvitationsPage<'_> {
    fn has_error(&self) -> bool {
        [self.layout.form_error, self.email.error, self.role_error].iter().any(Option::is_some)
    }

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
