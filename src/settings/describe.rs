//! The effective value of every setting, for display: secrets are masked.

use super::environment::{Environment, Variable};
use super::name::ServiceName;
use super::redact::redact;
use super::spec::Spec;
use super::spec::Values;
use super::table;
use serde::Serialize;

/// A setting with its effective value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DescribedSetting {
    /// The environment variable.
    pub variable: String,
    /// The section it belongs to.
    pub section: &'static str,
    /// The value, given or by default; `(set)` for a secret, `None` if unset.
    pub value: Option<String>,
    /// The default, or its description if it is not a fixed value.
    pub default: String,
    /// Where the value comes from.
    pub source: ValueSource,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueSource {
    /// The environment variable.
    Environment,
    /// The variable is not set.
    Default,
}

impl ValueSource {
    /// The name, as `doorward config` prints it.
    pub const fn as_str(self) -> &'static str {
        match self {
            ValueSource::Environment => "environment",
            ValueSource::Default => "default",
        }
    }
}

/// Describes every setting of the service `name`, valid or not.
pub fn describe(name: &ServiceName, environment: &Environment) -> Vec<DescribedSetting> {
    let values = Values { name, environment };
    let of_section = |section: &'static super::spec::SettingsGroup| {
        section.settings.iter().map(move |spec| describe_one(&values, spec, section.title))
    };
    table::SECTIONS.into_iter().flat_map(of_section).collect()
}

fn describe_one(values: &Values<'_>, spec: &Spec, section: &'static str) -> DescribedSetting {
    let default = values.default(spec).map(std::borrow::Cow::into_owned);
    let (value, source) = match values.given(spec) {
        Variable::Unset => (default.clone(), ValueSource::Default),
        Variable::Text(text) => (Some(display_value(spec, text)), ValueSource::Environment),
        Variable::NotUnicode => (Some("(not UTF-8)".to_owned()), ValueSource::Environment),
    };
    let default = default.unwrap_or_else(|| spec.default_text(values.name));
    DescribedSetting { variable: spec.variable(values.name), section, value, default, source }
}

fn display_value(spec: &Spec, text: &str) -> String {
    let text = redact(spec.exposure, text).map_or_else(|| "(set)".to_owned(), std::borrow::Cow::into_owned);
    text.replace(char::is_control, "\u{fffd}")
}
