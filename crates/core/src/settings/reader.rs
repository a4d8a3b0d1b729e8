//! Reads settings and collects every problem, so the operator sees all of them at once.

use super::environment::Variable;
use super::problem::{InvalidValue, SettingProblem, quoted};
use super::redact::redact;
use super::spec::Spec;
use super::spec::Values;

/// The problem of an invalid setting has been recorded in the reader.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported;

/// A setting's value, unless its problem was recorded.
pub(super) type Read<T> = Result<T, Reported>;

/// Reads settings and collects their problems.
pub(super) struct Reader<'a> {
    pub(super) values: Values<'a>,
    pub(super) problems: Vec<SettingProblem>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(values: Values<'a>) -> Self {
        Self { values, problems: Vec::new() }
    }

    /// Reads a setting that always has a value, given or by default. A default derived from another setting is missing
    /// only if that one has a problem.
    pub(super) fn required<T, E: Into<InvalidValue>>(
        &mut self,
        spec: &Spec,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Read<T> {
        self.optional(spec, parse)?.ok_or(Reported)
    }

    pub(super) fn optional<T, E: Into<InvalidValue>>(
        &mut self,
        spec: &Spec,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Read<Option<T>> {
        if self.values.given(spec) == Variable::NotUnicode {
            self.report(spec, "the value is not UTF-8 text".to_owned());
            return Err(Reported);
        }
        let Some(text) = self.values.effective(spec) else { return Ok(None) };
        match parse(&text) {
            Ok(value) => Ok(Some(value)),
            Err(refusal) => {
                self.refuse(spec, refusal);
                Err(Reported)
            }
        }
    }

    pub(super) fn is_given(&self, spec: &Spec) -> bool {
        self.values.given(spec) != Variable::Unset
    }

    /// The variable's name, for messages about other settings.
    pub(super) fn variable(&self, spec: &Spec) -> String {
        spec.variable(self.values.name)
    }

    /// Records that the setting's value is invalid.
    pub(super) fn refuse(&mut self, spec: &Spec, refusal: impl Into<InvalidValue>) {
        let value = self.values.effective(spec);
        let value = value.as_deref().and_then(|value| redact(spec.exposure, value));
        let value = value.map_or_else(|| "the value (not shown)".to_owned(), |value| quoted(&value));
        self.report(spec, format!("{value} cannot be used; allowed: {}", refusal.into().0));
    }

    /// Records any other problem with the setting.
    pub(super) fn report(&mut self, spec: &Spec, message: String) {
        let variable = self.variable(spec);
        self.problems.push(SettingProblem { variable, message });
    }
}
