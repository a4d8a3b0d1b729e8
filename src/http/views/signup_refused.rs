//! The page where sign-up is closed or by invitation only.

use super::Chrome;
use crate::messages::Key;
use askama::Template;

/// `/auth/signup` where not everyone may sign up.
#[derive(Template)]
#[template(path = "signup_refused.html")]
pub struct SignUpRefusedPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// Why.
    pub refusal: SignUpRefusal,
    /// Passed on to the log-in page.
    pub return_to: Option<&'a str>,
}

/// Why someone cannot sign up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignUpRefusal {
    /// No one may.
    Closed,
    /// Only people with an invitation may.
    InvitationOnly,
    /// The invitation was used, revoked or replaced, has expired, or never was.
    InvitationVoid,
}

impl SignUpRefusal {
    const fn heading(self) -> Key {
        match self {
            SignUpRefusal::Closed => Key("sign-up-closed"),
            SignUpRefusal::InvitationOnly => Key("sign-up-by-invitation"),
            SignUpRefusal::InvitationVoid => Key("sign-up-invitation-void"),
        }
    }

    const fn explanation(self) -> Key {
        match self {
            SignUpRefusal::Closed => Key("sign-up-closed-why"),
            SignUpRefusal::InvitationOnly => Key("sign-up-by-invitation-why"),
            SignUpRefusal::InvitationVoid => Key("sign-up-invitation-void-why"),
        }
    }
}
