//! What was typed into a form, as far as a page may show it again.

use super::fields::Fields;
use std::sync::Arc;

/// What was typed into a form, verified or not: for the page that shows it again, and for nothing else. It has neither
/// passwords nor codes. Clones share the fields.
#[derive(Clone, Default)]
pub struct Typed {
    /// None of a form that was not sent.
    fields: Option<Arc<Fields>>,
    shown_again: &'static [&'static str],
}

/// What pages carry from form to form.
const RETURN_TO: &str = "return_to";

impl Typed {
    pub(super) fn new(fields: Arc<Fields>, shown_again: &'static [&'static str]) -> Self {
        Self { fields: Some(fields), shown_again }
    }

    /// The value of a field that may be shown again.
    pub fn get(&self, name: &str) -> Option<&str> {
        let may_be_shown = name == RETURN_TO || self.shown_again.contains(&name);
        self.fields.as_ref().filter(|_| may_be_shown)?.get(name)
    }

    /// Whether a field was sent, whatever its value.
    pub fn has(&self, name: &str) -> bool {
        self.fields.as_ref().is_some_and(|fields| fields.get(name).is_some())
    }

    /// Whether a checkbox is checked: as it was sent, or as it is before.
    pub fn is_checked(&self, name: &str, before: bool) -> bool {
        if self.fields.is_some() { self.has(name) } else { before }
    }

    /// Where to return to, not yet judged.
    pub fn return_to(&self) -> Option<&str> {
        self.get(RETURN_TO)
    }
}
