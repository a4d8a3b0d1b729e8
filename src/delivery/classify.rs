//! The outcomes of a webhook request.

use hyper_util::client::legacy;
use std::error::Error;
use std::fmt::Write as _;

/// Every class that an attempt is recorded with.
pub(super) const CLASSES: [&str; 10] =
    ["delivered", "status", "name", "connect", "tls", "timeout", "closed", "internal", "interrupted", "disabled"];

/// The outcome of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RequestOutcome {
    /// The head of a response arrived.
    Answered {
        /// Its status code.
        status: u16,
        /// Its `Retry-After` header.
        retry_after: Option<String>,
        /// The beginning of its body.
        body: Vec<u8>,
    },
    /// No response arrived.
    Unanswered {
        /// Why, as a class.
        failure: NoResponse,
        /// Why, in the library's words; for the log.
        detail: String,
    },
}

/// Why no response arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoResponse {
    /// The host's name was not resolved.
    Name,
    /// None of its addresses accepted a connection.
    Connect,
    /// The TLS handshake failed, or the certificate is not trusted.
    Tls,
    /// No response within the timeout.
    Timeout,
    /// The connection was closed before the head of a response, or the response is not HTTP.
    Closed,
    /// A failure of this service.
    Internal,
}

impl NoResponse {
    /// The name of the class.
    pub(super) fn class(self) -> &'static str {
        match self {
            NoResponse::Name => "name",
            NoResponse::Connect => "connect",
            NoResponse::Tls => "tls",
            NoResponse::Timeout => "timeout",
            NoResponse::Closed => "closed",
            NoResponse::Internal => "internal",
        }
    }
}

impl RequestOutcome {
    /// The name of the class, as it is stored and logged.
    pub(super) fn class(&self) -> &'static str {
        match self {
            RequestOutcome::Answered { status: 200..=299, .. } => "delivered",
            RequestOutcome::Answered { .. } => "status",
            RequestOutcome::Unanswered { failure, .. } => failure.class(),
        }
    }

    /// The status code of the response, if one arrived.
    pub(super) fn status(&self) -> Option<u16> {
        match self {
            RequestOutcome::Answered { status, .. } => Some(*status),
            RequestOutcome::Unanswered { .. } => None,
        }
    }

    pub(super) fn unanswered(failure: NoResponse, detail: impl Into<String>) -> Self {
        RequestOutcome::Unanswered { failure, detail: detail.into() }
    }

    /// Classifies the client's error. For DNS and connection errors the library has no types, only texts.
    pub(super) fn from_error(error: &legacy::Error, uses_tls: bool) -> Self {
        let causes: Vec<String> =
            std::iter::successors(error.source(), |&error| error.source()).map(ToString::to_string).collect();
        let any_cause = |prefix: &str| causes.iter().any(|cause| cause.starts_with(prefix));
        let failure = if !error.is_connect() {
            NoResponse::Closed
        } else if any_cause("dns error") {
            NoResponse::Name
        } else if uses_tls && !any_cause("tcp ") {
            NoResponse::Tls
        } else {
            NoResponse::Connect
        };
        let detail = causes.iter().fold(String::new(), |mut text, cause| {
            let separator = if text.is_empty() { "" } else { ": " };
            // Writing to a string cannot fail.
            let _ = write!(text, "{separator}{cause}");
            text
        });
        RequestOutcome::unanswered(failure, detail)
    }
}
