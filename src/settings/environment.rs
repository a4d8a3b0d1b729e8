//! The environment variables, as the process was given them or as a test makes them.

use std::collections::BTreeMap;
use std::ffi::OsString;

/// Environment variables. Everything that reads one gets this, so that tests need not touch the process's own.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<String, OsString>);

/// What a variable holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Variable<'a> {
    /// Nothing, or only blanks: compose files pass an empty text for what is not set.
    Unset,
    /// A text, as it was given.
    Text(&'a str),
    /// Bytes that are not UTF-8.
    NotUnicode,
}

impl Environment {
    /// The process's environment. A name that is not UTF-8 is none of ours and left out.
    pub fn of_process() -> Self {
        Self(std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value))).collect())
    }

    /// These variables and one more, or another value for it.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<OsString>) -> Self {
        self.0.insert(name.into(), value.into());
        self
    }

    /// What the variable holds.
    pub fn get(&self, name: &str) -> Variable<'_> {
        match self.0.get(name).map(|value| value.to_str()) {
            None => Variable::Unset,
            Some(None) => Variable::NotUnicode,
            Some(Some(text)) if text.trim().is_empty() => Variable::Unset,
            Some(Some(text)) => Variable::Text(text),
        }
    }

    /// The names that begin with `prefix`, without it, in alphabetical order.
    pub fn suffixes<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.keys().filter_map(move |name| name.strip_prefix(prefix))
    }
}

impl<N: Into<String>, V: Into<OsString>> FromIterator<(N, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(variables: I) -> Self {
        Self(variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

/// Names only: a value may be a secret.
impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
