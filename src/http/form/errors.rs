//! What a page says about a form that was sent.

use super::typed::Typed;
use crate::http::views::Field;
use crate::messages::Message;
use crate::refusal::FieldName;
use axum::http::StatusCode;

/// What is wrong with a form, and what was typed into it. A form that was not sent yet has neither.
#[derive(Clone, Default)]
pub struct FormErrors {
    typed: Typed,
    status: Option<StatusCode>,
    form: Option<Message>,
    fields: Vec<(FieldName, Message)>,
}

impl FormErrors {
    /// No errors yet of a form that was sent.
    pub(super) fn of_form(typed: Typed) -> Self {
        Self { typed, ..Self::default() }
    }

    #[must_use]
    pub(super) fn without_typed(self) -> Self {
        Self { typed: Typed::default(), ..self }
    }

    /// With what is wrong with all of it.
    #[must_use]
    pub fn and_form(mut self, message: Message) -> Self {
        self.form = Some(message);
        self
    }

    /// With what is wrong with a field.
    #[must_use]
    pub fn and_field(mut self, name: &'static str, message: Message) -> Self {
        self.fields.push((name.into(), message));
        self
    }

    /// With what is wrong with several fields.
    #[must_use]
    pub fn and_fields<N: Into<FieldName>>(mut self, fields: impl IntoIterator<Item = (N, Message)>) -> Self {
        self.fields.extend(fields.into_iter().map(|(name, message)| (name.into(), message)));
        self
    }

    /// With another status than 422.
    #[must_use]
    pub fn with_status(self, status: StatusCode) -> Self {
        Self { status: Some(status), ..self }
    }

    pub fn status(&self) -> StatusCode {
        let has_errors = self.form.is_some() || !self.fields.is_empty();
        self.status.unwrap_or(if has_errors { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK })
    }

    /// What is wrong with all of it.
    pub fn form(&self) -> Option<&Message> {
        self.form.as_ref()
    }

    /// The same, or what is wrong with a field that the page has no place for beside these.
    pub fn form_or_other_than(&self, placed: &[&str]) -> Option<&Message> {
        let other = self.fields.iter().find(|(name, _)| !placed.contains(&name.as_ref()));
        self.form().or(other.map(|(_, message)| message))
    }

    pub fn of(&self, name: &str) -> Option<&Message> {
        self.fields.iter().find(|(known, _)| *known == name).map(|(_, message)| message)
    }

    pub fn typed(&self) -> &Typed {
        &self.typed
    }

    /// A field with what was typed into it.
    pub fn field(&self, name: &str) -> Field<'_> {
        self.field_or(name, "")
    }

    /// A field with what was typed into it, or with what stands there before.
    pub fn field_or<'a>(&'a self, name: &str, before: &'a str) -> Field<'a> {
        Field { value: self.typed.get(name).unwrap_or(before), error: self.of(name) }
    }
}
