//! What can come of an attempt.

use hyper_util::client::legacy;
use std::error::Error;
use std::fmt::Write as _;

/// Every class that an attempt is recorded with.
pub(super) const CLASSES: [&str; 10] =
    ["delivered", "status", "name", "connect", "tls", "timeout", "closed", "internal", "interrupted", "disabled"];

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The head of an answer arrived.
    Answered {
        /// Its status.
        status: u16,
        /// Its `Retry-After` header.
        retry_after: Option<String>,
        /// The beginning of its body.
        body: Vec<u8>,
    },
    /// None did.
    Unanswered {
        /// Why, as a class.
        fault: Fault,
        /// Why, in the words of the library; for the log.
        detail: String,
    },
}

/// Why no answer came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The host's name was not resolved.
    Name,
    /// No connection to any of its addresses.
    Connect,
    /// The TLS handshake failed, or the certificate is not trusted.
    Tls,
    /// No answer within the timeout.
    Timeout,
    /// The connection ended before the head of an answer, or what came is not HTTP.
    Closed,
    /// A fault of our own.
    Internal,
}

impl Fault {
    /// The name of the class.
    pub(super) fn class(self) -> &'static str {
        match self {
            Fault::Name => "name",
            Fault::Connect => "connect",
            Fault::Tls => "tls",
            Fault::Timeout => "timeout",
            Fault::Closed => "closed",
            Fault::Internal => "internal",
        }
    }
}

impl Outcome {
    /// The name of the class, as it is stored and logged.
    pub(super) fn class(&self) -> &'static str {
        match self {
            Outcome::Answered { status: 200..=299, .. } => "delivered",
            Outcome::Answered { .. } => "status",
            Outcome::Unanswered { fault, .. } => fault.class(),
        }
    }

    /// The status, if one arrived.
    pub(super) fn status(&self) -> Option<u16> {
        match self {
            Outcome::Answered { status, .. } => Some(*status),
            Outcome::Unanswered { .. } => None,
        }
    }

    pub(super) fn unanswered(fault: Fault, detail: impl Into<String>) -> Self {
        Outcome::Unanswered { fault, detail: detail.into() }
    }

    /// Classifies the client's error. The library names no types for name and connection errors, only texts.
    pub(super) fn from_error(error: &legacy::Error, uses_tls: bool) -> Self {
        let causes: Vec<String> =
            std::iter::successors(error.source(), |&error| error.source()).map(ToString::to_string).collect();
        let any = |prefix: &str| causes.iter().any(|cause| cause.starts_with(prefix));
        let fault = if !error.is_connect() {
            Fault::Closed
        } else if any("dns error") {
            Fault::Name
        } else if uses_tls && !any("tcp ") {
            Fault::Tls
        } else {
            Fault::Connect
        };
        let detail = causes.iter().fold(String::new(), |mut text, cause| {
            let separator = if text.is_empty() { "" } else { ": " };
            // Writing to a string cannot fail.
            let _ = write!(text, "{separator}{cause}");
            text
        });
        Outcome::unanswered(fault, detail)
    }
}
