//! What is wrong with the settings, one line each.

use super::duration::DurationError;
use std::fmt;

/// Why a value cannot be used: what is allowed instead. Never holds a secret's value.
pub(super) struct Refusal(pub(super) String);

impl From<String> for Refusal {
    fn from(allowed: String) -> Self {
        Self(allowed)
    }
}

impl From<&str> for Refusal {
    fn from(allowed: &str) -> Self {
        Self(allowed.to_owned())
    }
}

impl From<DurationError> for Refusal {
    fn from(error: DurationError) -> Self {
        Self(error.to_string())
    }
}

/// A value as messages quote it: on one line, and not longer than a line should be.
pub(super) fn quoted(value: &str) -> String {
    const LONGEST: usize = 100;
    match value.char_indices().nth(LONGEST) {
        None => format!("{value:?}"),
        Some((end, _)) => format!("{:?}…", &value[..end]),
    }
}

/// One setting that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Problem {
    /// The environment variable.
    pub variable: String,
    /// What is wrong with it and what is allowed; one line, never a secret's value.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.variable, self.message)
    }
}

/// Everything that keeps the settings from being used: at least one problem. Displays as one line for each.
#[derive(Debug, thiserror::Error)]
pub struct Problems {
    /// The problems, in the order of the table of settings.
    pub problems: Vec<Problem>,
    /// What is suspicious besides: a mistyped name often explains a problem.
    pub warnings: Vec<String>,
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}
