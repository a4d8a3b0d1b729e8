//! The pages for managing passkeys.

use super::{Field, Icon, Shell};
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
    pub layout: &'a Shell<'a>,
    /// The passkeys, oldest first.
    pub passkeys: &'a [PasskeyLine<'a>],
    /// Whether browsers support passkeys at this service's address.
    pub supported: bool,
    /// The challenge of that form; without a recent confirmation another page asks for that first.
    pub challenge: Option<&'a PasskeyChallenge>,
    pub notice: Option<&'a Message>,
}

/// `/auth/account/passkeys/new`.
#[derive(Template)]
#[template(path = "passkey_new.html")]
pub struct NewPasskeyPage<'a> {
    pub layout: &'a Shell<'a>,
    pub challenge: &'a PasskeyChallenge,
}

/// `/auth/account/passkeys/{id}`.
#[derive(Template)]
#[template(path = "passkey.html")]
pub struct PasskeyPage<'a> {
    pub layout: &'a Shell<'a>,
    pub passkey: PasskeyLine<'a>,
    pub name: Field<'a>,
}

/// `/auth/account/passkeys/{id}/remove`.
#[derive(Template)]
#[template(path = "passkey_remove.html")]
pub struct RemovePasskeyPage<'a> {
    pub layout: &'a Shell<'a>,
    pub passkey: PasskeyLine<'a>,
}

impl PasskeyLine<'_> {
    fn path(&self) -> String {
        format!("/auth/account/passkeys/{}", self.id)
    }

    fn removal(&self) -> String {
        format!("/auth/account/passkeys/{}/remove", self.id)
    }
}
