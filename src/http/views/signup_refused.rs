//! The page for a signup that is closed or by invitation only.

use super::Layout;
use crate::domain::registration::admission::NotAdmitted;
use crate::messages::Key;
use askama::Template;

/// `/auth/signup` where the visitor may not sign up.
#[derive(Template)]
#[template(path = "signup_refused.html")]
pub struct SignupRefusedPage<'a> {
    pub layout: Layout<'a>,
    pub refusal: NotAdmitted,
    pub return_to: Option<&'a str>,
}

impl NotAdmitted {
    const fn heading(self) -> Key {
        match self {
            NotAdmitted::Closed => Key("sign-up-closed"),
            NotAdmitted::InvitationOnly => Key("sign-up-by-invitation"),
            NotAdmitted::InvitationVoid => Key("sign-up-invitation-void"),
        }
    }

    const fn explanation(self) -> Key {
        match self {
            NotAdmitted::Closed => Key("sign-up-closed-why"),
            NotAdmitted::InvitationOnly => Key("sign-up-by-invitation-why"),
            NotAdmitted::InvitationVoid => Key("sign-up-invitation-void-why"),
        }
    }
}
