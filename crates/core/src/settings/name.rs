//! The service name and all derived names (`docs/reference/protocol.md` 1.1).

use crate::model::roles::PlatformRole;
use hyper::header::{HeaderName, InvalidHeaderName};
use std::fmt;
use std::sync::Arc;

/// A deployment's service name, the only source of the names of cookies, headers, variables and roles.
///
/// [`ServiceName::parse`] computes every derived name once; clones share them.
#[derive(Clone, PartialEq, Eq)]
pub struct ServiceName(Arc<Names>);

#[derive(PartialEq, Eq)]
struct Names {
    name: String,
    access_cookie: String,
    refresh_cookie: String,
    csrf_cookie: String,
    pending_verification_cookie: String,
    last_used_cookie: String,
    pending_login_cookie: String,
    device_cookie: String,
    provider_login_cookie: String,
    host_provider_login_cookie: String,
    language_cookie: String,
    event_header: WireHeader,
    delivery_header: WireHeader,
    signature_header: WireHeader,
    env_prefix: String,
    roles: [String; PlatformRole::ALL.len()],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireHeader {
    spelling: String,
    name: HeaderName,
}

impl WireHeader {
    fn new(capitalized: &str, suffix: &str) -> Result<Self, InvalidHeaderName> {
        let spelling = format!("X-{capitalized}-{suffix}");
        Ok(Self { name: HeaderName::from_bytes(spelling.as_bytes())?, spelling })
    }

    /// The header as documents spell it: `X-Svc-Event`.
    pub fn spelling(&self) -> &str {
        &self.spelling
    }

    /// The header as an HTTP header name, which is case-insensitive (RFC 9110, 5.1).
    pub fn name(&self) -> &HeaderName {
        &self.name
    }
}

/// The text is not a valid service name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} cannot be the service name; allowed: a lower-case letter, then at most 31 lower-case letters and digits"
)]
pub struct NameError(String);

impl ServiceName {
    pub const DEFAULT: &str = "svc";
    /// The environment variable that sets the name.
    pub const VARIABLE: &str = "DOORWARD_NAME";

    /// Parses a name (`[a-z][a-z0-9]{0,31}`) and derives all others from it.
    pub fn parse(name: &str) -> Result<Self, NameError> {
        let error = || NameError(name.chars().take(64).collect());
        let mut chars = name.chars();
        let first = chars.next().filter(char::is_ascii_lowercase).ok_or_else(error)?;
        if name.len() > 32 || !chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()) {
            return Err(error());
        }
        let capitalized = format!("{}{}", first.to_ascii_uppercase(), &name[1..]);
        let header = |suffix| WireHeader::new(&capitalized, suffix).map_err(|_| error());
        Ok(Self(Arc::new(Names {
            name: name.to_owned(),
            access_cookie: format!("{name}_access"),
            refresh_cookie: format!("{name}_refresh"),
            csrf_cookie: format!("{name}_csrf"),
            pending_verification_cookie: format!("{name}_pending"),
            last_used_cookie: format!("{name}_last"),
            pending_login_cookie: format!("{name}_login"),
            device_cookie: format!("{name}_device"),
            provider_login_cookie: format!("{name}_foreign"),
            host_provider_login_cookie: format!("__Host-{name}_foreign"),
            language_cookie: format!("{name}_lang"),
            event_header: header("Event")?,
            delivery_header: header("Delivery")?,
            signature_header: header("Signature")?,
            env_prefix: format!("{}_", name.to_ascii_uppercase()),
            roles: PlatformRole::ALL.map(|role| format!("{name}:{}", role.as_str())),
        })))
    }

    pub fn as_str(&self) -> &str {
        &self.0.name
    }

    pub fn access_cookie(&self) -> &str {
        &self.0.access_cookie
    }

    pub fn refresh_cookie(&self) -> &str {
        &self.0.refresh_cookie
    }

    pub fn csrf_cookie(&self) -> &str {
        &self.0.csrf_cookie
    }

    /// The cookie of a pending login, which still needs its second factor.
    pub fn pending_login_cookie(&self) -> &str {
        &self.0.pending_login_cookie
    }

    pub fn device_cookie(&self) -> &str {
        &self.0.device_cookie
    }

    /// The cookie of a browser that began logins at providers. Over https no sibling host can set it (RFC 6265bis,
    /// 4.1.3.2).
    pub fn provider_login_cookie(&self, is_https: bool) -> &str {
        if is_https { &self.0.host_provider_login_cookie } else { &self.0.provider_login_cookie }
    }

    /// The cookie of the language chosen for the pages.
    pub fn language_cookie(&self) -> &str {
        &self.0.language_cookie
    }

    /// The cookie of a browser with a pending email verification.
    pub fn pending_verification_cookie(&self) -> &str {
        &self.0.pending_verification_cookie
    }

    /// The cookie of the way and the accounts that a browser logged in with last.
    pub fn last_used_cookie(&self) -> &str {
        &self.0.last_used_cookie
    }

    /// The webhook header of the event's kind.
    pub fn event_header(&self) -> &WireHeader {
        &self.0.event_header
    }

    /// The webhook header of the event's id.
    pub fn delivery_header(&self) -> &WireHeader {
        &self.0.delivery_header
    }

    /// The webhook header of the signature over the body.
    pub fn signature_header(&self) -> &WireHeader {
        &self.0.signature_header
    }

    /// The prefix of every setting's variable: `SVC_`.
    pub fn env_prefix(&self) -> &str {
        &self.0.env_prefix
    }

    /// The variable of the setting with this suffix: `SVC_LISTEN` for `LISTEN`.
    pub fn variable(&self, suffix: &str) -> String {
        format!("{}{suffix}", self.0.env_prefix)
    }

    /// The wire name of a platform role: `svc:admin`.
    pub fn role(&self, role: PlatformRole) -> &str {
        let [admin, auditor, monitor] = &self.0.roles;
        match role {
            PlatformRole::Admin => admin,
            PlatformRole::Auditor => auditor,
            PlatformRole::Monitor => monitor,
        }
    }

    /// Reads the wire name of a platform role.
    pub fn parse_role(&self, name: &str) -> Option<PlatformRole> {
        PlatformRole::ALL.into_iter().find(|role| self.role(*role) == name)
    }
}

impl fmt::Display for ServiceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for ServiceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ServiceName").field(&self.as_str()).finish()
    }
}

#[cfg(test)]
#[path = "name_tests.rs"]
mod tests;
