//! Why a field of a provider is refused.

use crate::refusal::{ChangeError, Refusal, in_english};

/// A field that is refused: its name, as in a file of providers, and a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {sentence}")]
pub struct ProviderFieldError {
    pub field: &'static str,
    /// What it may be.
    pub sentence: String,
}

impl ProviderFieldError {
    pub(super) fn new(field: &'static str, sentence: impl Into<String>) -> Self {
        Self { field, sentence: sentence.into() }
    }
}

impl From<ProviderFieldError> for ChangeError {
    fn from(error: ProviderFieldError) -> Self {
        Refusal::field(error.field, in_english(error.to_string())).into()
    }
}
