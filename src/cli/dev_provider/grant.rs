//! What the scripted provider remembers: codes, tokens, and whose name Apple has told.

use super::form::DevFields;
use crate::crypto::token_hash::LinkToken;
use parking_lot::Mutex;
use std::collections::{HashMap, HashSet};

/// More codes or tokens than these are never waiting: then all are forgotten.
const MAX_REMEMBERED: usize = 10_000;

/// Whose rules a path follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Flavor {
    OpenId,
    Microsoft(String),
    GitHub,
}

/// A login that waits for its code to be redeemed.
pub(super) struct Grant {
    pub(super) flavor: Flavor,
    pub(super) person: usize,
    pub(super) redirect_uri: String,
    pub(super) nonce: Option<String>,
    pub(super) challenge: String,
}

#[derive(Default)]
pub(super) struct Grants(Mutex<Remembered>);

#[derive(Default)]
struct Remembered {
    codes: HashMap<String, Grant>,
    tokens: HashMap<String, usize>,
    named: HashSet<usize>,
}

fn remember<T>(all: &mut HashMap<String, T>, one: T) -> Option<String> {
    if all.len() >= MAX_REMEMBERED {
        all.clear();
    }
    let name = LinkToken::generate().ok()?.text().to_owned();
    all.insert(name.clone(), one);
    Some(name)
}

impl Grants {
    /// A code for a login; `None` without random bytes.
    pub(super) fn code(&self, grant: Grant) -> Option<String> {
        remember(&mut self.0.lock().codes, grant)
    }

    /// The login of a code, once, if the form redeems it rightly.
    pub(super) fn redeem(&self, form: &DevFields) -> Option<Grant> {
        let grant = self.0.lock().codes.remove(form.get("code")?)?;
        let is_right = form.get("redirect_uri") == Some(grant.redirect_uri.as_str())
            && form.get("code_verifier").map(crate::crypto::login_secrets::s256).as_ref() == Some(&grant.challenge);
        is_right.then_some(grant)
    }

    /// A token for what is known of a person.
    pub(super) fn access_token(&self, person: usize) -> Option<String> {
        remember(&mut self.0.lock().tokens, person)
    }

    pub(super) fn person(&self, token: &str) -> Option<usize> {
        self.0.lock().tokens.get(token).copied()
    }

    /// Whether a person's name is told now: once.
    pub(super) fn tells_name(&self, person: usize) -> bool {
        self.0.lock().named.insert(person)
    }
}
