//! The environment variables of the process or of a test, and of files that stand for them.

use super::env_file::{self, EnvFileError, LocalFile};
use crate::model::finding::Finding;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::Arc;

/// Environment variables. All readers receive this type, so tests do not modify the process environment.
#[derive(Clone, Default)]
pub struct Environment {
    variables: BTreeMap<String, EnvironmentValue>,
    has_files: bool,
    local_file: Option<Arc<Path>>,
    findings: Vec<Finding>,
}

#[derive(Clone)]
struct EnvironmentValue {
    value: OsString,
    source: Source,
}

#[derive(Clone)]
enum Source {
    Process,
    File(Arc<Path>),
    /// A command, by itself.
    Command,
}

impl From<OsString> for EnvironmentValue {
    fn from(value: OsString) -> Self {
        Self { value, source: Source::Process }
    }
}

impl EnvironmentValue {
    fn file(&self) -> Option<&Path> {
        match &self.source {
            Source::File(file) => Some(file),
            Source::Process | Source::Command => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Variable<'a> {
    /// Unset, empty or blank: compose files pass an empty value for an unset variable.
    Unset,
    Text(&'a str),
    NotUnicode,
}

impl Environment {
    /// Reads the process environment. Names that are not UTF-8 cannot be settings and are skipped.
    pub fn of_process() -> Self {
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value))).collect()
    }

    /// Adds the variables of a file, which win over those that are there.
    pub fn with_file(mut self, path: &Path) -> Result<Self, EnvFileError> {
        let text = env_file::read(path)?;
        self.has_files = true;
        self.findings.extend(env_file::findings(path, &text));
        let file: Arc<Path> = path.into();
        let given = |value: String| EnvironmentValue { value: value.into(), source: Source::File(file.clone()) };
        self.variables.extend(text.variables.into_iter().map(|(name, value)| (name, given(value))));
        Ok(self)
    }

    /// Adds those variables of the working directory's file that are not there, unless others may have written it.
    pub fn with_local_file(mut self, path: &Path) -> Result<Self, EnvFileError> {
        match env_file::read_local(path)? {
            LocalFile::Missing => {}
            LocalFile::NotTrusted(finding) => self.findings.push(finding),
            LocalFile::Read(text) => {
                self.findings.extend(env_file::findings(path, &text));
                let file: Arc<Path> = path.into();
                for (name, value) in text.variables {
                    if self.get(&name) == Variable::Unset {
                        let source = Source::File(file.clone());
                        self.variables.insert(name, EnvironmentValue { value: value.into(), source });
                    }
                }
                self.local_file = Some(file);
            }
        }
        Ok(self)
    }

    /// The same without some variables, and with others instead, which a command sets by itself.
    #[must_use]
    pub fn with(mut self, changes: impl IntoIterator<Item = (String, Option<String>)>) -> Self {
        for (name, value) in changes {
            match value {
                Some(value) => {
                    let value = EnvironmentValue { value: value.into(), source: Source::Command };
                    self.variables.insert(name, value)
                }
                None => self.variables.remove(&name),
            };
        }
        self
    }

    /// The file of the working directory, if it was read.
    pub fn local_file(&self) -> Option<&Path> {
        self.local_file.as_deref()
    }

    pub fn get(&self, name: &str) -> Variable<'_> {
        match self.variables.get(name).map(|given| given.value.to_str()) {
            None => Variable::Unset,
            Some(None) => Variable::NotUnicode,
            Some(Some(text)) if text.trim().is_empty() => Variable::Unset,
            Some(Some(text)) => Variable::Text(text),
        }
    }

    /// The names that start with `prefix`, without it, in alphabetical order.
    pub fn suffixes<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a str> {
        self.variables.keys().filter_map(move |name| name.strip_prefix(prefix))
    }

    /// The file that a variable comes from; `None` if it comes from none.
    pub fn file(&self, name: &str) -> Option<&Path> {
        self.variables.get(name)?.file()
    }

    /// Whether a variable is the process's own.
    pub(super) fn is_of_process(&self, name: &str) -> bool {
        self.variables.get(name).is_some_and(|given| matches!(given.source, Source::Process))
    }

    /// Whether files were read: then a variable that comes from none may be forgotten there.
    pub(super) fn has_files(&self) -> bool {
        self.has_files
    }

    pub(super) fn findings(&self) -> &[Finding] {
        &self.findings
    }

    pub fn of_files(&self) -> impl Iterator<Item = (&str, &OsStr)> {
        let of_files = self.variables.iter().filter(|(_, given)| given.file().is_some());
        of_files.map(|(name, given)| (name.as_str(), given.value.as_os_str()))
    }
}

impl<N: Into<String>, V: Into<OsString>> FromIterator<(N, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(variables: I) -> Self {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into().into())).collect();
        Self { variables, ..Self::default() }
    }
}

/// Prints names only: a value may be a secret.
impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.variables.keys()).finish()
    }
}
