//! Reading settings while gathering every problem, so that the operator sees all of them at once.

use super::environment::Variable;
use super::problem::{Problem, Refusal, quoted};
use super::shown::shown;
use super::spec::Spec;
use super::spec::Values;

/// A setting cannot be used, and the reader has a problem for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported;

/// A setting that was read, or whose problem was recorded.
pub(super) type Read<T> = Result<T, Reported>;

/// Reads settings and gathers what is wrong with them.
pub(super) struct Reader<'a> {
    pub(super) values: Values<'a>,
    pub(super) problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(values: Values<'a>) -> Self {
        Self { values, problems: Vec::new() }
    }

    /// The value of a setting that always has one, of its own or by default. A default that comes from another setting is
    /// missing only when that one has a problem.
    pub(super) fn required<T, E: Into<Refusal>>(
        &mut self,
        spec: &Spec,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Read<T> {
        self.optional(spec, parse)?.ok_or(Reported)
    }

    /// The value of a setting that may have none.
    pub(super) fn optional<T, E: Into<Refusal>>(
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

    /// Whether the environment sets it.
    pub(super) fn is_given(&self, spec: &Spec) -> bool {
        self.values.given(spec) != Variable::Unset
    }

    /// The variable's name, for sentences about other settings.
    pub(super) fn variable(&self, spec: &Spec) -> String {
        spec.variable(self.values.name)
    }

    /// Records that the setting's value cannot be used.
    pub(super) fn refuse(&mut self, spec: &Spec, refusal: impl Into<Refusal>) {
        let value = self.values.effective(spec);
        let value = value.as_deref().and_then(|value| shown(spec.exposure, value));
        let value = value.map_or_else(|| "the value (not shown)".to_owned(), |value| quoted(&value));
        self.report(spec, format!("{value} cannot be used; allowed: {}", refusal.into().0));
    }

    /// Records any other problem with the setting.
    pub(super) fn report(&mut self, spec: &Spec, message: String) {
        let variable = self.variable(spec);
        self.problems.push(Problem { variable, message });
    }
}
