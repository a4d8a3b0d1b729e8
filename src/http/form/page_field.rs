//! The field `page`, which the page of a form shows and a script of an application on the same host cannot read
//! (docs/reference/browser.md 4.6). A script can send a form as a navigation, but not with this field.

use crate::crypto::seal::SealContext;
use crate::crypto::secret_keys::SecretKeys;
use crate::domain::login::pending::PendingUser;
use crate::http::session::LiveSession;
use crate::model::ids::{AccountTokenId, SessionId, UserId};
use crate::model::time::Time;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::time::Duration;
use uuid::Uuid;

pub const FIELD: &str = "page";
/// As long as a session counts as recently authenticated.
const TTL: Duration = Duration::from_mins(15);

/// To whom a page was shown. The field of one is not valid for another, so a stranger's page is of no use to a script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShownTo {
    /// A browser without a session. What such a form does depends on a mailed secret in its path.
    #[default]
    Anyone,
    Session(SessionId),
    /// A login of this user that waits for something.
    PendingLogin(UserId),
    /// A browser that waits for this verification.
    Verification(AccountTokenId),
    /// A browser in which this login with a provider waits for an answer.
    ProviderLogin(Uuid),
}

impl From<&LiveSession> for ShownTo {
    fn from(live: &LiveSession) -> Self {
        ShownTo::Session(live.id)
    }
}

impl From<Option<&LiveSession>> for ShownTo {
    fn from(live: Option<&LiveSession>) -> Self {
        live.map_or(ShownTo::Anyone, ShownTo::from)
    }
}

impl From<&PendingUser> for ShownTo {
    fn from(user: &PendingUser) -> Self {
        ShownTo::PendingLogin(user.id)
    }
}

impl ShownTo {
    fn bytes(self) -> [u8; 17] {
        let (kind, id) = match self {
            ShownTo::Anyone => (0, Uuid::nil()),
            ShownTo::Session(id) => (1, id.0),
            ShownTo::PendingLogin(id) => (2, id.0),
            ShownTo::Verification(id) => (3, id.0),
            ShownTo::ProviderLogin(id) => (4, id),
        };
        let mut bytes = [kind; 17];
        bytes[1..].copy_from_slice(id.as_bytes());
        bytes
    }
}

#[derive(Clone, Copy, Debug)]
pub struct PageSeal<'a> {
    keys: &'a SecretKeys,
    shown_to: ShownTo,
}

impl<'a> PageSeal<'a> {
    /// For a page that is shown to anyone.
    pub fn new(keys: &'a SecretKeys) -> Self {
        Self { keys, shown_to: ShownTo::Anyone }
    }

    #[must_use]
    pub fn shown_to(self, shown_to: ShownTo) -> Self {
        Self { shown_to, ..self }
    }

    /// The value for the form with this action. Empty if it cannot be sealed: the form then shows its page again.
    pub fn value(&self, action: &str, now: Time) -> String {
        let expires_at = (now + TTL).as_micros().to_be_bytes();
        let plain = [expires_at.as_slice(), &self.shown_to.bytes()].concat();
        let sealed = self.keys.seal(&context(action), &plain);
        sealed.map(|sealed| URL_SAFE_NO_PAD.encode(sealed)).unwrap_or_default()
    }
}

/// What a form that was sent says of its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SourcePage {
    /// The client does not say how it makes requests, and needs no page.
    NotAsked,
    /// No page, or not one with this form.
    None,
    /// A page with this form.
    Page { shown_to: [u8; 17], is_old: bool },
}

impl SourcePage {
    /// Opens the field of a form that was sent to this path.
    pub(super) fn open(keys: &SecretKeys, action: &str, field: Option<&str>, now: Time) -> Self {
        let opened = field.and_then(|text| URL_SAFE_NO_PAD.decode(text).ok());
        let opened = opened.and_then(|sealed| keys.open(&context(action), &sealed).ok());
        let Some((expires_at, shown_to)) = opened.as_ref().and_then(|plain| plain.split_first_chunk()) else {
            return SourcePage::None;
        };
        let Ok(shown_to) = shown_to.try_into() else { return SourcePage::None };
        SourcePage::Page { shown_to, is_old: Time::from_micros(i64::from_be_bytes(*expires_at)) <= now }
    }

    /// Whether the person who sends the form has filled it in themselves, however long ago.
    pub(super) fn is_of_page(self, viewer: ShownTo) -> bool {
        match self {
            SourcePage::NotAsked => true,
            SourcePage::None => false,
            SourcePage::Page { shown_to, .. } => shown_to == viewer.bytes(),
        }
    }

    pub(super) fn is_old(self) -> bool {
        matches!(self, SourcePage::Page { is_old: true, .. })
    }
}

fn context(action: &str) -> SealContext<'_> {
    SealContext { table: "form", row: action.as_bytes(), column: FIELD }
}

#[cfg(test)]
#[path = "page_field_tests.rs"]
mod tests;
