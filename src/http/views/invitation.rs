//! The page of an invitation link.

use super::Shell;
use crate::messages::Key;
use crate::model::organization::MemberRole;
use crate::model::time::Time;
use crate::model::user_label::UserLabel;
use askama::Template;

/// `/auth/invitations/{token}`, while the invitation is pending.
#[derive(Template)]
#[template(path = "invitation.html")]
pub struct InvitationPage<'a> {
    pub layout: &'a Shell<'a>,
    /// The redirect target afterwards, already validated.
    pub return_to: Option<&'a str>,
    pub token: &'a str,
    /// The path of this page, with `return_to`.
    pub path: &'a str,
    pub organization: &'a str,
    /// Who invites, if it is a member.
    pub inviter: Option<UserLabel<'a>>,
    pub role: MemberRole,
    pub email: &'a str,
    pub expires_at: Time,
    pub viewer: InvitationViewer<'a>,
}

#[derive(Clone, Copy, Debug)]
pub enum InvitationViewer<'a> {
    Invitee {
        called: &'a str,
    },
    OtherUser {
        email: &'a str,
    },
    /// A visitor who is not logged in.
    Anonymous {
        /// What the page tells about the invited address.
        account: InvitedAccount,
        may_sign_up: bool,
    },
}

/// What the page of an invitation tells about the invited address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvitedAccount {
    Exists,
    Missing,
    /// Nothing: the viewer may be the inviter, who could learn who has an account.
    NotTold,
}

impl InvitedAccount {
    fn may_exist(self) -> bool {
        self != InvitedAccount::Missing
    }

    fn may_be_missing(self) -> bool {
        self != InvitedAccount::Exists
    }

    /// The message that says how to accept, where the button alone does not.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "templates pass references")]
    fn how_to_accept(self, may_sign_up: &bool) -> Option<Key> {
        match (self, may_sign_up) {
            (InvitedAccount::Exists, _) => Some(Key("invitation-has-account")),
            (InvitedAccount::Missing, true) => None,
            (InvitedAccount::Missing, false) => Some(Key("invitation-no-sign-up")),
            (InvitedAccount::NotTold, true) => Some(Key("invitation-either")),
            (InvitedAccount::NotTold, false) => Some(Key("invitation-log-in-only")),
        }
    }
}

impl InvitationPage<'_> {
    /// Whether the visitor can do nothing but ask someone: there is no account, and there will be none.
    const fn is_closed(&self) -> bool {
        matches!(self.viewer, InvitationViewer::Anonymous { account: InvitedAccount::Missing, may_sign_up: false })
    }

    const fn may_decline(&self) -> bool {
        !matches!(self.viewer, InvitationViewer::OtherUser { .. })
    }
}
