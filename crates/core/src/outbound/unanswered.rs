//! Why a server did not answer.

use super::causes;
use hyper_util::client::legacy;
use std::error::Error;
use std::time::Duration;

/// Why there is no answer, with the libraries' words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    #[error("{0}")]
    Name(String),
    #[error("{0}")]
    Connect(String),
    /// The TLS handshake failed, or the certificate is not trusted.
    #[error("{0}")]
    Tls(String),
    #[error("{0}")]
    Timeout(String),
    /// The connection was closed before the answer's end, or what came is not HTTP or too much.
    #[error("{0}")]
    Closed(String),
}

impl Unanswered {
    /// The name of the cause, as it is stored and logged.
    pub fn class(&self) -> &'static str {
        match self {
            Self::Name(_) => "name",
            Self::Connect(_) => "connect",
            Self::Tls(_) => "tls",
            Self::Timeout(_) => "timeout",
            Self::Closed(_) => "closed",
        }
    }

    pub(super) fn within(time: Duration) -> Self {
        Self::Timeout(format!("no answer within {} seconds", time.as_secs()))
    }

    /// Classifies an error of connecting. For names and connections the library has no types, only texts.
    pub(super) fn connecting(error: &(dyn Error + 'static), uses_tls: bool) -> Self {
        let any = |prefix: &str| {
            std::iter::successors(Some(error), |&error| error.source())
                .any(|cause| cause.to_string().starts_with(prefix))
        };
        let text = causes(error);
        if any("dns error") {
            Self::Name(text)
        } else if uses_tls && !any("tcp ") {
            Self::Tls(text)
        } else {
            Self::Connect(text)
        }
    }

    /// Classifies an error of a pool's client, whose own text says nothing.
    pub(super) fn pooled(error: &legacy::Error, uses_tls: bool) -> Self {
        match error.source() {
            Some(cause) if error.is_connect() => Self::connecting(cause, uses_tls),
            Some(cause) => Self::Closed(causes(cause)),
            None => Self::Closed(error.to_string()),
        }
    }
}
