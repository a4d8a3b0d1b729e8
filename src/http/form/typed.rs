//! What was typed into a form, as far as a page may show it again.

use super::fields::Fields;
use super::page_field;
use crate::http::{csrf, return_to};
use std::sync::Arc;

/// What was typed into a form, verified or not: for the page that shows it again. A change reads only that of a verified
/// [`Form`](super::Form). It has neither passwords nor codes. Clones share the fields.
#[derive(Clone, Default)]
pub struct Typed {
    /// None of a form that was not sent.
    fields: Option<Arc<Fields>>,
    shown_again: &'static [&'static str],
}

/// What every form has of its own.
const OF_THE_FORM: [&str; 2] = [csrf::FIELD, FILL_IN];
/// Asks for the page of a form, filled in, instead of what it does.
pub const FILL_IN: &str = "fill_in";

impl Typed {
    pub(super) fn new(fields: Arc<Fields>, shown_again: &'static [&'static str]) -> Self {
        Self { fields: Some(fields), shown_again }
    }

    /// The value of a field that may be shown again.
    pub fn get(&self, name: &str) -> Option<&str> {
        let is_of_page = [return_to::FIELD, page_field::FIELD].contains(&name);
        let may_be_shown = is_of_page || self.shown_again.contains(&name);
        self.fields.as_ref().filter(|_| may_be_shown)?.get(name)
    }

    /// Every value of a field that may be shown again.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let fields = self.fields.as_ref().filter(|_| self.shown_again.contains(&name));
        fields.into_iter().flat_map(move |fields| fields.all(name))
    }

    pub fn is_sent(&self) -> bool {
        self.fields.is_some()
    }

    /// Whether a field was sent, whatever its value.
    pub fn has(&self, name: &str) -> bool {
        self.fields.as_ref().is_some_and(|fields| fields.get(name).is_some())
    }

    /// Whether a checkbox is checked: as it was sent, or as it is before.
    pub fn is_checked(&self, name: &str, before: bool) -> bool {
        if self.fields.is_some() { self.has(name) } else { before }
    }

    /// All fields for a form that sends them again, without the token: passwords and codes are empty.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        let sent = self.fields.iter().flat_map(|fields| fields.firsts());
        sent.filter(|(name, _)| !OF_THE_FORM.contains(name)).map(|(name, _)| (name, self.get(name).unwrap_or_default()))
    }

    /// Whether these fields are all that is needed, so that the form can be sent again without typing.
    pub fn is_complete(&self) -> bool {
        let mut sent = self.fields.iter().flat_map(|fields| fields.firsts());
        !self.has(FILL_IN)
            && sent.all(|(name, value)| OF_THE_FORM.contains(&name) || value.is_empty() || self.get(name).is_some())
    }

    /// Where to return to, not yet validated.
    pub fn return_to(&self) -> Option<&str> {
        self.get(return_to::FIELD)
    }
}

#[cfg(test)]
#[path = "typed_tests.rs"]
mod tests;
