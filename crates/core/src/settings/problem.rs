//! Problems with the settings, one line each.

use super::duration::DurationError;
use crate::model::finding::Finding;
use std::fmt;

/// A value is invalid; holds what is allowed instead, never a secret's value.
pub(super) struct InvalidValue(pub(super) String);

impl From<String> for InvalidValue {
    fn from(allowed: String) -> Self {
        Self(allowed)
    }
}

impl From<&str> for InvalidValue {
    fn from(allowed: &str) -> Self {
        Self(allowed.to_owned())
    }
}

impl From<DurationError> for InvalidValue {
    fn from(error: DurationError) -> Self {
        Self(error.to_string())
    }
}

/// Quotes a value for a message: on one line, truncated.
pub(super) fn quoted(value: &str) -> String {
    const MAX_CHARS: usize = 100;
    match value.char_indices().nth(MAX_CHARS) {
        None => format!("{value:?}"),
        Some((end, _)) => format!("{:?}…", &value[..end]),
    }
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SettingProblem {
    pub variable: String,
    /// The problem and what is allowed; one line, never a secret's value.
    pub message: String,
}

impl fmt::Display for SettingProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.variable, self.message)
    }
}

/// All problems of invalid settings, at least one. Displays one line for each.
#[derive(Debug, thiserror::Error)]
pub struct Problems {
    /// The problems, in the order of the table of settings.
    pub problems: Vec<SettingProblem>,
    /// The warnings: a mistyped name often explains a problem.
    pub warnings: Vec<Finding>,
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
