//! Providers that people log in with: an OpenID provider, or GitHub.

mod tenant;

pub use tenant::{Tenant, TenantError};

use super::names::names;
use std::fmt;

names! {
    /// Whose rules a provider follows.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ProviderKind {
        Google = "google",
        /// Apple accounts; the answer comes by a form.
        Apple = "apple",
        /// Microsoft accounts of one tenant or of several.
        Microsoft = "microsoft",
        /// GitHub, which is no OpenID provider.
        GitHub = "github",
        Oidc = "oidc",
    }
}

names! {
    /// Which addresses that a provider states count as verified.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum EmailTrust {
        /// Those that the rules of its kind call verified.
        Verified = "verified",
        Trusted = "trusted",
        /// None: each is as if it had been typed at signup.
        Never = "never",
    }
}

names! {
    /// What a second factor that was shown at the provider counts for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ProviderMfa {
        /// Nothing: an account with a second factor is asked for it.
        Ask = "ask",
        /// A login whose `amr` has one counts as having shown it.
        Trust = "trust",
    }
}

pub const MAX_PROVIDERS: usize = 20;

/// What a provider is called in addresses and commands: 1 to 32 of `a-z`, `0-9` and `-`; not beginning with `org-`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProviderName(String);

impl ProviderName {
    const MAX_LEN: usize = 32;
    /// Kept for the providers of organizations.
    const RESERVED: &str = "org-";

    /// Reads a name; the error is a sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let is_permitted = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if text.is_empty() || text.len() > Self::MAX_LEN || !text.bytes().all(is_permitted) {
            return Err("The name of a provider has 1 to 32 of the characters a-z, 0-9 and -.".to_owned());
        }
        if text.starts_with(Self::RESERVED) {
            return Err("The name of a provider does not begin with \"org-\".".to_owned());
        }
        Ok(Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProviderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Which of Apple's keys signs the client's secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppleKeyName {
    pub team_id: String,
    pub key_id: String,
}

/// A provider as the operator made it, without its secret. Each field is valid, and all of them fit each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provider {
    /// Its name in addresses.
    pub name: ProviderName,
    pub kind: ProviderKind,
    /// Letter by letter as the operator gave it, or that of its kind. For `microsoft` and `github` the origin.
    pub issuer: String,
    pub client_id: String,
    /// Whose accounts; only and always for `microsoft`.
    pub tenant: Option<Tenant>,
    /// The key that signs the client's secret; only and always for `apple`.
    pub apple: Option<AppleKeyName>,
    /// What is asked for, in this order.
    pub scopes: Vec<String>,
    /// The text of the button after "Continue with".
    pub label: String,
    pub email: EmailTrust,
    /// What a second factor there counts for.
    pub mfa: ProviderMfa,
    /// Whether people without an account may sign up with it.
    pub signup: bool,
}

impl Provider {
    /// The address of this service that the provider sends the browser back to, which is to be registered there.
    /// `base_url` is the service's public origin.
    pub fn redirect_uri(&self, base_url: &str) -> String {
        format!("{base_url}/auth/login/with/{}/return", self.name)
    }
}

impl ProviderKind {
    /// Whether an operator can answer for every address that it states: the accounts of the others are everybody's.
    pub const fn can_be_trusted(self, tenant: Option<Tenant>) -> bool {
        match self {
            Self::Oidc => true,
            Self::Microsoft => matches!(tenant, Some(Tenant::Id(_))),
            Self::Google | Self::Apple | Self::GitHub => false,
        }
    }

    /// The name of its maker, the default of the button's text; `None` where there is no one maker.
    pub const fn label(self) -> Option<&'static str> {
        match self {
            Self::Google => Some("Google"),
            Self::Apple => Some("Apple"),
            Self::Microsoft => Some("Microsoft"),
            Self::GitHub => Some("GitHub"),
            Self::Oidc => None,
        }
    }

    /// The issuer of its maker; `None` where the operator must name one.
    pub const fn issuer(self) -> Option<&'static str> {
        match self {
            Self::Google => Some("https://accounts.google.com"),
            Self::Apple => Some("https://appleid.apple.com"),
            Self::Microsoft => Some("https://login.microsoftonline.com"),
            Self::GitHub => Some("https://github.com"),
            Self::Oidc => None,
        }
    }

    /// What is asked for where the operator says nothing.
    pub const fn scopes(self) -> &'static [&'static str] {
        match self {
            Self::Google | Self::Microsoft | Self::Oidc => &["openid", "email", "profile"],
            Self::Apple => &["openid", "email", "name"],
            Self::GitHub => &["read:user", "user:email"],
        }
    }
}

#[cfg(test)]
#[path = "provider_tests.rs"]
mod tests;
