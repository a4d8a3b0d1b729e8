//! Why an administrator does something.

use crate::model::visible::is_invisible;
use std::fmt;

const MAX_CHARS: usize = 500;

/// Why an administrator does something, in their words: 1 to 500 characters without control characters. The audit log has
/// it, and nothing that the person concerned reads.
#[derive(Clone, PartialEq, Eq)]
pub struct Reason(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReasonFault {
    #[error("a reason is required")]
    Missing,
    #[error("a reason has at most 500 characters")]
    TooLong,
    /// A control character, a line break included.
    #[error("a reason is one line without control characters")]
    Control,
}

impl Reason {
    /// Reads a reason, without the white space around it.
    pub fn parse(text: &str) -> Result<Self, ReasonFault> {
        let text = text.trim();
        if text.chars().any(char::is_control) {
            return Err(ReasonFault::Control);
        }
        if text.chars().all(|c| c.is_whitespace() || is_invisible(c)) {
            return Err(ReasonFault::Missing);
        }
        if text.chars().count() > MAX_CHARS {
            return Err(ReasonFault::TooLong);
        }
        Ok(Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Omits the text: it may name people.
impl fmt::Debug for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reason")
    }
}

#[cfg(test)]
#[path = "reason_tests.rs"]
mod tests;
