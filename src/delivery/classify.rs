//! The outcomes of a webhook request.

use crate::outbound::Unanswered;

/// Every class that an attempt is recorded with.
pub(super) const CLASSES: [&str; 10] =
    ["delivered", "status", "name", "connect", "tls", "timeout", "closed", "internal", "interrupted", "disabled"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestOutcome {
    /// The head of a response arrived.
    Answered {
        status: u16,
        retry_after: Option<String>,
        /// The beginning of its body.
        body: Vec<u8>,
    },
    Unanswered {
        class: &'static str,
        /// Why, in the library's words; for the log.
        detail: String,
    },
}

impl RequestOutcome {
    /// The name of the class, as it is stored and logged.
    pub fn class(&self) -> &'static str {
        match self {
            RequestOutcome::Answered { status: 200..=299, .. } => "delivered",
            RequestOutcome::Answered { .. } => "status",
            RequestOutcome::Unanswered { class, .. } => class,
        }
    }

    /// The status code of the response, if one arrived.
    pub(super) fn status(&self) -> Option<u16> {
        match self {
            RequestOutcome::Answered { status, .. } => Some(*status),
            RequestOutcome::Unanswered { .. } => None,
        }
    }

    pub(super) fn internal(detail: &str) -> Self {
        RequestOutcome::Unanswered { class: "internal", detail: detail.to_owned() }
    }
}

impl From<Unanswered> for RequestOutcome {
    fn from(unanswered: Unanswered) -> Self {
        RequestOutcome::Unanswered { class: unanswered.class(), detail: unanswered.to_string() }
    }
}
