//! Addresses that others name.

use crate::model::this_machine::is_this_machine;
use hyper::Uri;
use std::net::IpAddr;

const MAX_BYTES: usize = 2048;

/// An address that a request may go to: https, or http to this machine; without user information and fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalUrl(Uri);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExternalUrlError {
    #[error("the address is longer than {MAX_BYTES} bytes")]
    Long,
    /// It is no absolute address of a server.
    #[error("the address is no URL with a scheme and a host")]
    Malformed,
    /// It is neither https nor http to this machine.
    #[error("the address must begin with https://; http:// is for this machine only")]
    Scheme,
    #[error("the address must not have a username or password")]
    UserInformation,
    #[error("the address must not have a fragment")]
    Fragment,
}

impl ExternalUrl {
    pub fn parse(text: &str) -> Result<Self, ExternalUrlError> {
        if text.len() > MAX_BYTES {
            return Err(ExternalUrlError::Long);
        }
        if text.contains('#') {
            return Err(ExternalUrlError::Fragment);
        }
        let url: Uri = text.parse().map_err(|_| ExternalUrlError::Malformed)?;
        let (Some(scheme), Some(authority)) = (url.scheme_str(), url.authority()) else {
            return Err(ExternalUrlError::Malformed);
        };
        if authority.host().is_empty() {
            return Err(ExternalUrlError::Malformed);
        }
        if authority.as_str().contains('@') {
            return Err(ExternalUrlError::UserInformation);
        }
        let url = Self(url.clone());
        match scheme {
            "https" => Ok(url),
            "http" if is_this_machine(url.host()) => Ok(url),
            _ => Err(ExternalUrlError::Scheme),
        }
    }

    pub fn uri(&self) -> &Uri {
        &self.0
    }

    /// Its host, an IPv6 address without brackets.
    pub fn host(&self) -> &str {
        self.0.host().unwrap_or_default().trim_matches(['[', ']'])
    }

    /// Its host, where that is an address.
    pub(super) fn ip(&self) -> Option<IpAddr> {
        self.host().parse().ok()
    }
}

#[cfg(test)]
#[path = "external_url_tests.rs"]
mod tests;
