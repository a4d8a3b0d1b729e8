//! The result of an attempt.

use crate::store::Next;

/// The result of an attempt, and the next state of the delivery.
pub(super) struct AttemptResult {
    /// The class of the outcome, as it is stored and logged.
    pub(super) class: &'static str,
    /// The status code of the response, if there was one.
    pub(super) status: Option<u16>,
    /// The beginning of the response.
    pub(super) response: Vec<u8>,
    /// Why there was no response, in words; for the log.
    pub(super) detail: String,
    pub(super) next: Next,
}
