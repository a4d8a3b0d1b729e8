//! The pages for managing passkeys.

use super::{Field, Icon, Layout, NavigationItem};
use crate::crypto::passkey::PasskeyChallenge;
use crate::messages::Message;
use crate::model::ids::PasskeyId;
use crate::model::time::Time;
use askama::Template;

pub struct PasskeyLine<'a> {
    pub id: PasskeyId,
    pub name: &'a str,
    /// Whether it is backed up (WebAuthn backup state).
    pub backed_up: bool,
    pub created_at: Time,
    pub last_used_at: Option<Time>,
}

/// `/auth/account/passkeys`.
#[derive(Template)]
#[template(path = "passkeys.html")]
pub struct PasskeysPage<'a> {
    pub layout: Layout<'a>,
    pub sections: &'a [NavigationItem],
    /// The passkeys, oldest first.
    pub passkeys: &'a [PasskeyLine<'a>],
    /// Whether browsers support passkeys at this service's address.
    pub supported: bool,
    /// The CSRF token of the form that adds one.
    pub csrf: &'a str,
    /// The challenge of that form; without a recent confirmation another page asks for that first.
    pub challenge: Option<&'a PasskeyChallenge>,
    pub notice: Option<&'a Message>,
}

/// `/auth/account/passkeys/new`.
#[derive(Template)]
#[template(path = "passkey_new.html")]
pub struct NewPasskeyPage<'a> {
    pub layout: Layout<'a>,
    pub csrf: &'a str,
    pub sections: &'a [NavigationItem],
    pub challenge: &'a PasskeyChallenge,
    pub form_error: Option<&'a Message>,
}

/// `/auth/account/passkeys/{id}`.
#[derive(Template)]
#[template(path = "passkey.html")]
pub struct PasskeyPage<'a> {
    pub layout: Layout<'a>,
    pub csrf: &'a str,
    pub sections: &'a [NavigationItem],
    pub passkey: PasskeyLine<'a>,
    pub name: Field<'a>,
    /// An error of the whole form; nothing was changed.
    pub form_error: Option<&'a Message>,
}

/// `/auth/account/passkeys/{id}/remove`.
#[derive(Template)]
#[template(path = "passkey_remove.html")]
pub struct RemovePasskeyPage<'a> {
    pub layout: Layout<'a>,
    pub csrf: &'a str,
    pub sections: &'a [NavigationItem],
    pub passkey: PasskeyLine<'a>,
    pub form_error: Option<&'a Message>,
}

impl PasskeyLine<'_> {
    fn path(&self) -> String {
        format!("/auth/account/passkeys/{}", self.id)
    }

    fn removal(&self) -> String {
        format!("/auth/account/passkeys/{}/remove", self.id)
    }
}
