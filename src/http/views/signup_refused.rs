//! The page where sign-up is closed or by invitation only.

use super::Chrome;
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
    const fn heading(self) -> &'static str {
        match self {
            SignUpRefusal::Closed => "Sign-up is closed",
            SignUpRefusal::InvitationOnly => "Sign-up is by invitation",
            SignUpRefusal::InvitationVoid => "This invitation is no longer valid",
        }
    }

    const fn explanation(self) -> &'static str {
        match self {
            SignUpRefusal::Closed => {
                "New accounts cannot be created here. If you need one, ask the people who run the service."
            }
            SignUpRefusal::InvitationOnly => {
                "To create an account you need an invitation. If you have received one, open the link in its e-mail."
            }
            SignUpRefusal::InvitationVoid => {
                "It may have been used, withdrawn or replaced by a newer one, or it has expired. Ask the person who \
                 invited you for a new one."
            }
        }
    }
}
