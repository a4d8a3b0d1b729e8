//! The pages for managing passkeys.

use super::{Field, Icon, Layout, NavigationItem};
use crate::crypto::passkey::PasskeyChallenge;
use crate::messages::Message;
use crate::model::ids::PasskeyId;
use crate::model::time::Time;
use askama::Template;

/// A passkey in the list.
pub struct PasskeyLine<'a> {
    /// Its id.
    pub id: PasskeyId,
    /// The name that the user chose.
    pub name: &'a str,
    /// Whether it is backed up (WebAuthn backup state).
    pub backed_up: bool,
    /// When it was added.
    pub created_at: Time,
    /// When it was last used.
    pub last_used_at: Option<Time>,
}

/// `/auth/account/passkeys`.
#[derive(Template)]
#[template(path = "passkeys.html")]
pub struct PasskeysPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The account navigation.
    pub sections: &'a [NavigationItem],
    /// The passkeys, oldest first.
    pub passkeys: &'a [PasskeyLine<'a>],
    /// Whether browsers support passkeys at this service's address.
    pub supported: bool,
    /// The CSRF token of the form that adds one.
    pub csrf: &'a str,
    /// The challenge of that form; without a recent confirmation another page asks for that first.
    pub challenge: Option<&'a PasskeyChallenge>,
    /// Confirms what was just done.
    pub notice: Option<&'a Message>,
}

/// `/auth/account/passkeys/new`.
#[derive(Template)]
#[template(path = "passkey_new.html")]
pub struct NewPasskeyPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The account navigation.
    pub sections: &'a [NavigationItem],
    /// The WebAuthn challenge.
    pub challenge: &'a PasskeyChallenge,
    /// Why the passkey was not added.
    pub form_error: Option<&'a Message>,
}

/// `/auth/account/passkeys/{id}`.
#[derive(Template)]
#[template(path = "passkey.html")]
pub struct PasskeyPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The forms' CSRF token.
    pub csrf: &'a str,
    /// The account navigation.
    pub sections: &'a [NavigationItem],
    /// The passkey.
    pub passkey: PasskeyLine<'a>,
    /// The field for a new name.
    pub name: Field<'a>,
    /// An error of the whole form; nothing was changed.
    pub form_error: Option<&'a Message>,
}

/// `/auth/account/passkeys/{id}/remove`.
#[derive(Template)]
#[template(path = "passkey_remove.html")]
pub struct RemovePasskeyPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The account navigation.
    pub sections: &'a [NavigationItem],
    /// The passkey.
    pub passkey: PasskeyLine<'a>,
    /// Why it was not removed.
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
