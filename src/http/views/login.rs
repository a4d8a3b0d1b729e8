//! The login page.

use super::{Icon, ProviderButtons, Shell};
use crate::crypto::passkey::PasskeyChallenge;
use crate::messages::{Key, Message, Text};
use crate::model::login_way::LoginWay;
use crate::model::provider::ProviderKind;
use askama::Template;

/// The longest name of a brand, in characters, that leaves the title in one or two lines.
const LONGEST_NAME: usize = 30;

/// `/auth/login`.
#[derive(Template)]
#[template(path = "login.html")]
pub struct LoginPage<'a> {
    pub layout: &'a Shell<'a>,
    /// The redirect target afterwards, already validated.
    pub return_to: Option<&'a str>,
    /// The email address or username as typed.
    pub login: &'a str,
    pub notice: Option<Key>,
    /// Whether login requires a verified email address.
    pub verification_required: bool,
    /// The WebAuthn challenge, where passkeys are supported.
    pub passkey: Option<&'a PasskeyChallenge>,
    /// Whether the signup form asks for usernames, so that people may log in with theirs.
    pub has_usernames: bool,
    pub providers: &'a ProviderButtons,
    /// The way that this browser logged in with last.
    pub last_way: Option<LoginWay>,
    pub signup_open: bool,
}

impl LoginPage<'_> {
    /// The same message for an unknown account and a wrong password, against account enumeration (OWASP ASVS 5.0,
    /// 6.3.8).
    pub const WRONG_CREDENTIALS: Message = Message::new("log-in-wrong");

    /// Whether the name of the brand is too long to stand in the title as well as beside the logo.
    fn has_long_brand(&self) -> bool {
        self.layout.brand.name.chars().count() > LONGEST_NAME
    }

    fn title(&self) -> Text<'_> {
        if self.has_long_brand() {
            return self.layout.t("log-in-button");
        }
        self.layout.t("log-in-title").with("brand", self.layout.brand.name.as_str())
    }

    fn password_is_last(&self) -> bool {
        self.last_way == Some(LoginWay::Password)
    }

    fn passkey_is_last(&self) -> bool {
        self.last_way == Some(LoginWay::Passkey)
    }

    const fn name_label(&self) -> Key {
        Key(if self.has_usernames { "log-in-name" } else { "email" })
    }
}
