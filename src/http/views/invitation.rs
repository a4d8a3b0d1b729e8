//! What the invited see.

use super::Chrome;
use crate::messages::Message;
use crate::model::organization::MemberRole;
use crate::model::time::Time;
use askama::Template;

/// `/auth/invitations/{token}`, while it can be answered.
#[derive(Template)]
#[template(path = "invitation.html")]
pub struct InvitationPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The forms' CSRF token.
    pub csrf: &'a str,
    /// Where to go afterwards, already judged safe.
    pub return_to: Option<&'a str>,
    /// The secret part of the link.
    pub token: &'a str,
    /// The way back to this page, from where it ends at `return_to`.
    pub path: &'a str,
    /// Where to.
    pub organization: &'a str,
    /// The role to be had.
    pub role: MemberRole,
    /// Who is invited.
    pub email: &'a str,
    /// When it ends.
    pub expires_at: Time,
    /// Who is looking.
    pub guest: Guest<'a>,
    /// What is wrong with the form as a whole.
    pub form_error: Option<&'a Message>,
}

/// Who is looking at an invitation.
#[derive(Clone, Copy, Debug)]
pub enum Guest<'a> {
    /// The invited, logged in under this name.
    Invited {
        /// Username.
        username: &'a str,
    },
    /// Somebody else, logged in with this address.
    Other {
        /// E-mail address.
        email: &'a str,
    },
    /// Nobody is logged in; whether the invited has an account, and may make one.
    Unknown {
        /// There is an account with the address.
        has_account: bool,
        /// One can be made.
        may_sign_up: bool,
    },
}

impl InvitationPage<'_> {
    const fn may_decline(&self) -> bool {
        !matches!(self.guest, Guest::Other { .. })
    }
}
