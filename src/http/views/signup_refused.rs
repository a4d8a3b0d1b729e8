//! The page for a signup that is closed or by invitation only.

use super::Layout;
use crate::messages::Key;
use askama::Template;

/// `/auth/signup` where the visitor may not sign up.
#[derive(Template)]
#[template(path = "signup_refused.html")]
pub struct SignupRefusedPage<'a> {
    pub layout: Layout<'a>,
    pub refusal: SignupRefusal,
    pub return_to: Option<&'a str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignupRefusal {
    Closed,
    InvitationOnly,
    /// The invitation was used, revoked or replaced, has expired, or never existed.
    InvitationVoid,
}

impl SignupRefusal {
    const fn heading(self) -> Key {
        match self {
            SignupRefusal::Closed => Key("sign-up-closed"),
            SignupRefusal::InvitationOnly => Key("sign-up-by-invitation"),
            SignupRefusal::InvitationVoid => Key("sign-up-invitation-void"),
        }
    }

    const fn explanation(self) -> Key {
        match self {
            SignupRefusal::Closed => Key("sign-up-closed-why"),
            SignupRefusal::InvitationOnly => Key("sign-up-by-invitation-why"),
            SignupRefusal::InvitationVoid => Key("sign-up-invitation-void-why"),
        }
    }
}
