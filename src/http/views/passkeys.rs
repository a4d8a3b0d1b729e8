//! Passkeys, as their user sees them.

use super::{Chrome, Field, Section};
use crate::crypto::passkey::Question;
use crate::messages::Message;
use crate::model::ids::PasskeyId;
use crate::model::time::Time;
use askama::Template;

/// A passkey in the list.
pub struct PasskeyLine<'a> {
    /// Its id.
    pub id: PasskeyId,
    /// What its user calls it.
    pub name: &'a str,
    /// Whether there is a copy of it, at its maker's for example.
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
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The pages to move between.
    pub sections: &'a [Section],
    /// The passkeys, the oldest first.
    pub passkeys: &'a [PasskeyLine<'a>],
    /// Whether browsers know passkeys at this service's address.
    pub possible: bool,
}

/// `/auth/account/passkeys/new`.
#[derive(Template)]
#[template(path = "passkey_new.html")]
pub struct NewPasskeyPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The pages to move between.
    pub sections: &'a [Section],
    /// What the browser is asked.
    pub question: &'a Question,
    /// What it is to be called.
    pub name: Field<'a>,
    /// Why it was not added.
    pub form_error: Option<&'a Message>,
}

/// `/auth/account/passkeys/{id}`.
#[derive(Template)]
#[template(path = "passkey.html")]
pub struct PasskeyPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The forms' CSRF token.
    pub csrf: &'a str,
    /// The pages to move between.
    pub sections: &'a [Section],
    /// The passkey.
    pub passkey: PasskeyLine<'a>,
    /// Another name.
    pub name: Field<'a>,
    /// Why nothing was changed.
    pub form_error: Option<&'a Message>,
}
