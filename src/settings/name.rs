//! The service name and everything that is derived from it (contract.md 1).

use crate::model::roles::PlatformRole;
use hyper::header::{HeaderName, InvalidHeaderName};
use std::fmt;
use std::sync::Arc;

/// A deployment's service name; cookies, headers, variables and roles are named after it and after nothing else.
///
/// Every derived name is made once, by [`ServiceName::parse`]; clones share them.
#[derive(Clone, PartialEq, Eq)]
pub struct ServiceName(Arc<Names>);

#[derive(PartialEq, Eq)]
struct Names {
    name: String,
    access_cookie: String,
    refresh_cookie: String,
    csrf_cookie: String,
    pending_cookie: String,
    log_in_cookie: String,
    device_cookie: String,
    language_cookie: String,
    event_header: WireHeader,
    delivery_header: WireHeader,
    signature_header: WireHeader,
    env_prefix: String,
    roles: [String; PlatformRole::ALL.len()],
}

/// A header of the webhook requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireHeader {
    spelling: String,
    name: HeaderName,
}

impl WireHeader {
    fn new(capitalized: &str, what: &str) -> Result<Self, InvalidHeaderName> {
        let spelling = format!("X-{capitalized}-{what}");
        Ok(Self { name: HeaderName::from_bytes(spelling.as_bytes())?, spelling })
    }

    /// The header as documents spell it: `X-Svc-Event`.
    pub fn spelling(&self) -> &str {
        &self.spelling
    }

    /// The header as the HTTP library wants it; names are compared without regard to case (RFC 9110, 5.1).
    pub fn name(&self) -> &HeaderName {
        &self.name
    }
}

/// The text cannot be a service name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} cannot be the service name; allowed: a lower-case letter, then at most 31 lower-case letters and digits"
)]
pub struct NameError(String);

impl ServiceName {
    /// The name of a service whose operator chose none.
    pub const DEFAULT: &str = "svc";
    /// The environment variable that sets the name.
    pub const VARIABLE: &str = "DOORWARD_NAME";

    /// Reads a name (`[a-z][a-z0-9]{0,31}`) and derives all others from it.
    pub fn parse(name: &str) -> Result<Self, NameError> {
        let error = || NameError(name.chars().take(64).collect());
        let mut chars = name.chars();
        let first = chars.next().filter(char::is_ascii_lowercase).ok_or_else(error)?;
        if name.len() > 32 || !chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()) {
            return Err(error());
        }
        let capitalized = format!("{}{}", first.to_ascii_uppercase(), &name[1..]);
        let header = |what| WireHeader::new(&capitalized, what).map_err(|_| error());
        Ok(Self(Arc::new(Names {
            name: name.to_owned(),
            access_cookie: format!("{name}_access"),
            refresh_cookie: format!("{name}_refresh"),
            csrf_cookie: format!("{name}_csrf"),
            pending_cookie: format!("{name}_pending"),
            log_in_cookie: format!("{name}_login"),
            device_cookie: format!("{name}_device"),
            language_cookie: format!("{name}_lang"),
            event_header: header("Event")?,
            delivery_header: header("Delivery")?,
            signature_header: header("Signature")?,
            env_prefix: format!("{}_", name.to_ascii_uppercase()),
            roles: PlatformRole::ALL.map(|role| format!("{name}:{}", role.as_str())),
        })))
    }

    /// The name itself.
    pub fn as_str(&self) -> &str {
        &self.0.name
    }

    /// The cookie of the access token.
    pub fn access_cookie(&self) -> &str {
        &self.0.access_cookie
    }

    /// The cookie of the refresh token.
    pub fn refresh_cookie(&self) -> &str {
        &self.0.refresh_cookie
    }

    /// The cookie of the CSRF token.
    pub fn csrf_cookie(&self) -> &str {
        &self.0.csrf_cookie
    }

    /// The cookie of a log-in whose second factor is still to come.
    pub fn log_in_cookie(&self) -> &str {
        &self.0.log_in_cookie
    }

    /// The cookie of a device that is not asked for the second factor.
    pub fn device_cookie(&self) -> &str {
        &self.0.device_cookie
    }

    /// The cookie of the language that somebody chose for the pages.
    pub fn language_cookie(&self) -> &str {
        &self.0.language_cookie
    }

    /// The cookie of a browser that waits for the proof of an address.
    pub fn pending_cookie(&self) -> &str {
        &self.0.pending_cookie
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

    /// What every setting's variable begins with: `SVC_`.
    pub fn env_prefix(&self) -> &str {
        &self.0.env_prefix
    }

    /// The variable of the setting with this suffix: `SVC_LISTEN` for `LISTEN`.
    pub fn variable(&self, suffix: &str) -> String {
        format!("{}{suffix}", self.0.env_prefix)
    }

    /// A platform role as users and tokens carry it: `svc:admin`.
    pub fn role(&self, role: PlatformRole) -> &str {
        let [admin, auditor, monitor] = &self.0.roles;
        match role {
            PlatformRole::Admin => admin,
            PlatformRole::Auditor => auditor,
            PlatformRole::Monitor => monitor,
        }
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
