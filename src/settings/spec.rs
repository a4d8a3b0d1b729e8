//! What a setting is: one entry of the table that feeds parsing, `config`, the long help and the documentation.

use super::environment::{Environment, Variable};
use super::name::ServiceName;
use std::borrow::Cow;

/// One setting.
pub struct Spec {
    /// The variable's name after the prefix: `LISTEN`.
    pub suffix: &'static str,
    /// What a value looks like, in words.
    pub kind: &'static str,
    /// What holds when the variable is not set.
    pub default: DefaultValue,
    /// What of a value may be shown.
    pub exposure: Exposure,
    /// One or two sentences; `SVC_` stands for the deployment's own prefix.
    pub(super) meaning: &'static str,
}

/// What holds when a variable is not set.
pub enum DefaultValue {
    /// Nothing; the words say what that means.
    Unset(&'static str),
    /// This value.
    Fixed(&'static str),
    /// A value that comes from other settings; the words say how.
    Derived(&'static str, fn(&Values<'_>) -> Option<String>),
}

/// What of a setting's value may be shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Exposure {
    /// All.
    Public,
    /// A URL: all but user name, password and query.
    Url,
    /// Nothing but that it is set.
    Secret,
}

impl Spec {
    /// The setting's variable in this deployment.
    pub fn variable(&self, name: &ServiceName) -> String {
        name.variable(self.suffix)
    }

    /// What the setting does, with the variables of this deployment.
    pub fn meaning(&self, name: &ServiceName) -> String {
        self.meaning.replace("SVC_", name.env_prefix())
    }

    /// The default in words, with the variables of this deployment.
    pub fn default_words(&self, name: &ServiceName) -> String {
        let (DefaultValue::Unset(words) | DefaultValue::Fixed(words) | DefaultValue::Derived(words, _)) = self.default;
        words.replace("SVC_", name.env_prefix())
    }
}

/// A group of settings that are read together.
pub struct Section {
    /// The group's title.
    pub title: &'static str,
    /// Its settings, in the order of reading.
    pub settings: &'static [&'static Spec],
}

/// The texts of the settings, before they are understood.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    pub(super) name: &'a ServiceName,
    pub(super) environment: &'a Environment,
}

impl<'a> Values<'a> {
    /// What the environment says. Blanks around a value go, except around a secret, whose every byte may count.
    pub(super) fn given(&self, spec: &Spec) -> Variable<'a> {
        match self.environment.get(&spec.variable(self.name)) {
            Variable::Text(text) if spec.exposure != Exposure::Secret => Variable::Text(text.trim()),
            other => other,
        }
    }

    /// What holds when the environment says nothing.
    pub(super) fn default(&self, spec: &Spec) -> Option<Cow<'static, str>> {
        match spec.default {
            DefaultValue::Unset(_) => None,
            DefaultValue::Fixed(text) => Some(Cow::Borrowed(text)),
            DefaultValue::Derived(_, derive) => derive(self).map(Cow::Owned),
        }
    }

    /// What holds; `None` if nothing does or the value is not UTF-8.
    pub(super) fn effective(&self, spec: &Spec) -> Option<Cow<'a, str>> {
        match self.given(spec) {
            Variable::Text(text) => Some(Cow::Borrowed(text)),
            Variable::Unset => self.default(spec),
            Variable::NotUnicode => None,
        }
    }
}
