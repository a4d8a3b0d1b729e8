//! The effective value of every setting, for display: secrets are masked.

use super::environment::{Environment, Variable};
use super::name::ServiceName;
use super::redact::redact;
use super::spec::Spec;
use super::spec::Values;
use super::table;
use crate::model::names::names;
use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DescribedSetting {
    pub variable: String,
    pub section: &'static str,
    /// The value, given or by default; `(set)` for a secret, `None` if unset.
    pub value: Option<String>,
    /// The default, or its description if it is not a fixed value.
    pub default: String,
    pub source: ValueSource,
    /// The file, if it comes from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The variable that it follows, if it is a default that follows one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derived_from: Option<String>,
}

impl DescribedSetting {
    /// The file or the variable that the value comes from, or the word for its source.
    pub fn origin(&self) -> &str {
        self.file.as_deref().or(self.derived_from.as_deref()).unwrap_or_else(|| self.source.as_str())
    }
}

names! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum ValueSource {
        Environment = "environment",
        File = "file",
        Default = "default",
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
    let variable = spec.variable(values.name);
    let file = values.environment.file(&variable).map(|path| path.display().to_string());
    let given = if file.is_some() { ValueSource::File } else { ValueSource::Environment };
    let (value, source, file) = match values.given(spec) {
        Variable::Unset => (default.clone(), ValueSource::Default, None),
        Variable::Text(text) => (Some(display_value(spec, text)), given, file),
        Variable::NotUnicode => (Some("(not UTF-8)".to_owned()), given, file),
    };
    let default = default.unwrap_or_else(|| spec.default_text(values.name));
    let followed = values.default_follows(spec).filter(|_| source == ValueSource::Default);
    let derived_from = followed.map(|followed| followed.variable(values.name));
    DescribedSetting { variable, section, value, default, source, file, derived_from }
}

fn display_value(spec: &Spec, text: &str) -> String {
    let text = redact(spec.exposure, text).map_or_else(|| "(set)".to_owned(), std::borrow::Cow::into_owned);
    text.replace(char::is_control, "\u{fffd}")
}
