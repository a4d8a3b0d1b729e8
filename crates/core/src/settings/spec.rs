//! The definition of a setting, used for parsing, `config`, the long help and the documentation.

use super::environment::{Environment, Variable};
use super::name::ServiceName;
use std::borrow::Cow;

pub struct Spec {
    /// The variable's name after the prefix: `LISTEN`.
    pub suffix: &'static str,
    pub kind: &'static str,
    /// The value if the variable is not set.
    pub default: DefaultValue,
    /// Which part of a value may be displayed.
    pub exposure: Exposure,
    /// A description; `SVC_` is replaced by the deployment's prefix.
    pub(super) meaning: &'static str,
}

/// The value if a variable is not set.
pub enum DefaultValue {
    /// No value; the text describes the effect.
    Unset(&'static str),
    Fixed(&'static str),
    /// A value derived from other settings; the text describes how.
    Derived(&'static str, fn(&Values<'_>) -> Option<Derived>),
}

pub struct Derived {
    pub(super) value: String,
    /// The setting that it follows; `None` where it follows none.
    pub(super) from: Option<&'static Spec>,
}

/// Which part of a setting's value may be displayed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Exposure {
    /// The whole value.
    Public,
    /// A URL: all but username, password and query.
    Url,
    /// Addresses that must not have a username or password: everything, or nothing where there may be one.
    Address,
    /// Only whether it is set.
    Secret,
}

impl Spec {
    pub fn variable(&self, name: &ServiceName) -> String {
        name.variable(self.suffix)
    }

    /// The description, with the variables of this deployment.
    pub fn meaning(&self, name: &ServiceName) -> String {
        self.meaning.replace("SVC_", name.env_prefix())
    }

    /// The description of the default, with the variables of this deployment.
    pub fn default_text(&self, name: &ServiceName) -> String {
        let (DefaultValue::Unset(text) | DefaultValue::Fixed(text) | DefaultValue::Derived(text, _)) = self.default;
        text.replace("SVC_", name.env_prefix())
    }
}

/// Defines a section: its settings in the order of display, each with its name, kind, default, exposure and meaning.
macro_rules! section {
    ($title:literal; $($name:ident: $kind:literal, $default:ident($($value:expr),+), $exposure:ident, $meaning:literal;)+) => {
        $(pub(in crate::settings) static $name: $crate::settings::Spec = $crate::settings::Spec {
            suffix: stringify!($name),
            kind: $kind,
            default: $crate::settings::DefaultValue::$default($($value),+),
            exposure: $crate::settings::Exposure::$exposure,
            meaning: $meaning,
        };)+

        pub(in crate::settings) static SECTION: $crate::settings::SettingsGroup =
            $crate::settings::SettingsGroup { title: $title, settings: &[$(&$name),+] };
    };
}
pub(super) use section;

/// A group of settings that are read together.
pub struct SettingsGroup {
    pub title: &'static str,
    /// Its settings, in the order of reading.
    pub settings: &'static [&'static Spec],
}

#[derive(Clone, Copy)]
pub struct Values<'a> {
    pub(super) name: &'a ServiceName,
    pub(super) environment: &'a Environment,
}

impl<'a> Values<'a> {
    /// The value from the environment, trimmed, except for a secret, where every byte may matter.
    pub(super) fn given(&self, spec: &Spec) -> Variable<'a> {
        match self.environment.get(&spec.variable(self.name)) {
            Variable::Text(text) if spec.exposure != Exposure::Secret => Variable::Text(text.trim()),
            other => other,
        }
    }

    pub(super) fn default(&self, spec: &Spec) -> Option<Cow<'static, str>> {
        match spec.default {
            DefaultValue::Unset(_) => None,
            DefaultValue::Fixed(text) => Some(Cow::Borrowed(text)),
            DefaultValue::Derived(_, derive) => derive(self).map(|derived| Cow::Owned(derived.value)),
        }
    }

    pub(super) fn default_follows(&self, spec: &Spec) -> Option<&'static Spec> {
        match spec.default {
            DefaultValue::Derived(_, derive) => derive(self)?.from,
            DefaultValue::Unset(_) | DefaultValue::Fixed(_) => None,
        }
    }

    /// The effective value; `None` if there is none or it is not UTF-8.
    pub(super) fn effective(&self, spec: &Spec) -> Option<Cow<'a, str>> {
        match self.given(spec) {
            Variable::Text(text) => Some(Cow::Borrowed(text)),
            Variable::Unset => self.default(spec),
            Variable::NotUnicode => None,
        }
    }
}
