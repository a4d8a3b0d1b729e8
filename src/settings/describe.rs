//! What every setting is right now, for the operator's eyes: secrets are masked.

use super::environment::{Environment, Variable};
use super::name::ServiceName;
use super::shown::shown;
use super::spec::Spec;
use super::spec::Values;
use super::table;
use serde::Serialize;

/// One setting as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Described {
    /// The environment variable.
    pub variable: String,
    /// The section it belongs to.
    pub section: &'static str,
    /// What holds, given or by default: a secret is `(set)`; `None` if nothing is set.
    pub value: Option<String>,
    /// What would hold if the variable were not set, in words where no value would.
    pub default: String,
    /// Where the value comes from.
    pub source: Source,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The environment variable.
    Environment,
    /// The variable is not set.
    Default,
}

impl Source {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Source::Environment => "environment",
            Source::Default => "default",
        }
    }
}

/// Every setting of the service `name`, whether its value can be used or not.
pub fn describe(name: &ServiceName, environment: &Environment) -> Vec<Described> {
    let values = Values { name, environment };
    let of_section = |section: &'static super::spec::Section| {
        section.settings.iter().map(move |spec| describe_one(&values, spec, section.title))
    };
    table::SECTIONS.into_iter().flat_map(of_section).collect()
}

fn describe_one(values: &Values<'_>, spec: &Spec, section: &'static str) -> Described {
    let default = values.default(spec).map(std::borrow::Cow::into_owned);
    let (value, source) = match values.given(spec) {
        Variable::Unset => (default.clone(), Source::Default),
        Variable::Text(text) => (Some(masked(spec, text)), Source::Environment),
        Variable::NotUnicode => (Some("(not UTF-8)".to_owned()), Source::Environment),
    };
    let default = default.unwrap_or_else(|| spec.default_words(values.name));
    Described { variable: spec.variable(values.name), section, value, default, source }
}

fn masked(spec: &Spec, text: &str) -> String {
    let text = shown(spec.exposure, text).map_or_else(|| "(set)".to_owned(), std::borrow::Cow::into_owned);
    text.replace(char::is_control, "\u{fffd}")
}
