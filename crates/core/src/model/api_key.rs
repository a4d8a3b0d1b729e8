//! API keys of applications' backends: what a key may do, from where, and what it is called.

use super::names::names;
use ipnet::IpNet;
use std::fmt;
use std::net::IpAddr;

/// The part of an API key that is no secret: 16 characters of 0-9 and a-z.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(transparent)]
pub struct ApiKeyId(pub String);

impl fmt::Display for ApiKeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

names! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u8)]
    pub enum Scope {
        UsersRead = "users:read",
        /// Create, change and delete users.
        UsersWrite = "users:write",
        /// Passwords at creation, sessions, password resets, second factors.
        UsersSecurity = "users:security",
        /// Read organizations, members and invitations.
        OrganizationsRead = "organizations:read",
        /// Change them.
        OrganizationsWrite = "organizations:write",
        /// Platform roles, and changes to users who have one.
        PlatformWrite = "platform:write",
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scopes(u8);

impl Scopes {
    pub const fn contains(self, scope: Scope) -> bool {
        self.0 & (1 << scope as u8) != 0
    }

    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |scope| self.contains(*scope))
    }

    /// The names, in the order of [`Scope::ALL`].
    pub fn names(self) -> Vec<&'static str> {
        self.iter().map(Scope::as_str).collect()
    }

    /// The set as it is stored: comma-separated names.
    pub fn to_text(self) -> String {
        self.names().join(",")
    }

    /// Reads what [`Scopes::to_text`] wrote. A name that a newer version wrote permits nothing here.
    pub fn parse_text(text: &str) -> Self {
        text.split(',').filter_map(Scope::parse).collect()
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().fold(0, |set, scope| set | 1 << scope as u8))
    }
}

/// The networks from which an API key may be used; none: from everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyNetworks(pub Vec<IpNet>);

impl KeyNetworks {
    /// Whether a client may use the key. One whose address is not known may only if everybody may.
    pub fn permit(&self, address: Option<IpAddr>) -> bool {
        let contains = |address: IpAddr| self.0.iter().any(|network| network.contains(&address));
        self.0.is_empty() || address.is_some_and(contains)
    }

    /// The networks as they are stored, separated by commas.
    pub fn to_text(&self) -> String {
        self.0.iter().map(IpNet::to_string).collect::<Vec<_>>().join(",")
    }

    /// Reads what [`KeyNetworks::to_text`] wrote; `None` if that is damaged: then nothing may be permitted.
    pub fn parse_text(text: &str) -> Option<Self> {
        text.split(',').filter(|part| !part.is_empty()).map(|part| part.parse().ok()).collect::<Option<_>>().map(Self)
    }
}

names! {
    /// What is wrong with an API key that is refused. The names stand in the audit log.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum KeyFault {
        /// There is no such key, or it is malformed.
        UnknownKey = "unknown_key",
        /// There is one of this id, whose random part is another.
        WrongSecret = "wrong_secret",
        Revoked = "revoked",
        Expired = "expired",
        /// It is used from a network that it is not bound to.
        ForeignNetwork = "foreign_network",
    }
}

impl KeyFault {
    /// Whether the one who showed it has the key itself.
    pub const fn has_secret(self) -> bool {
        matches!(self, Self::Revoked | Self::Expired | Self::ForeignNetwork)
    }
}

/// What an API key is called, in the audit log too: at most 64 letters, digits, dots, hyphens and underscores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKeyName(String);

impl ApiKeyName {
    const MAX_LENGTH: usize = 64;

    /// Reads a name; the error says what one looks like.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
        if (1..=Self::MAX_LENGTH).contains(&text.len()) && text.bytes().all(is_allowed) {
            return Ok(Self(text.to_owned()));
        }
        Err("a name is 1 to 64 letters, digits, dots, hyphens and underscores, such as billing-backend")
    }

    pub const fn from_stored(text: String) -> Self {
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
#[path = "api_key_tests.rs"]
mod tests;
