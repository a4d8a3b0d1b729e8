//! The environment variables of the process or of a test.

use std::collections::BTreeMap;
use std::ffi::OsString;

/// Environment variables. All readers receive this type, so tests do not modify the process environment.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<String, OsString>);

/// The value of a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Variable<'a> {
    /// Unset, empty or blank: compose files pass an empty value for an unset variable.
    Unset,
    /// Text, as given.
    Text(&'a str),
    /// Bytes that are not UTF-8.
    NotUnicode,
}

impl Environment {
    /// Reads the process environment. Names that are not UTF-8 cannot be settings and are skipped.
    pub fn of_process() -> Self {
        Self(std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value))).collect())
    }

    /// Adds or replaces a variable.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<OsString>) -> Self {
        self.0.insert(name.into(), value.into());
        self
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Variable<'_> {
        match self.0.get(name).map(|value| value.to_str()) {
            None => Variable::Unset,
            Some(None) => Variable::NotUnicode,
            Some(Some(text)) if text.trim().is_empty() => Variable::Unset,
            Some(Some(text)) => Variable::Text(text),
        }
    }

    /// The names that start with `prefix`, without it, in alphabetical order.
    pub fn suffixes<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.keys().filter_map(move |name| name.strip_prefix(prefix))
    }
}

impl<N: Into<String>, V: Into<OsString>> FromIterator<(N, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(variables: I) -> Self {
        Self(variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

/// Prints names only: a value may be a secret.
impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
