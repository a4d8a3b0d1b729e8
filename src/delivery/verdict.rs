//! What came of an attempt, and what becomes of the delivery.

use crate::store::Next;

/// What came of an attempt, and what becomes of the delivery.
pub(super) struct Verdict {
    /// The class of the outcome, as it is stored and logged.
    pub(super) class: &'static str,
    /// The status that was answered, if one was.
    pub(super) status: Option<u16>,
    /// The beginning of what was answered.
    pub(super) response: Vec<u8>,
    /// Why nothing was, in words; for the log.
    pub(super) detail: String,
    /// What becomes of the delivery.
    pub(super) next: Next,
}
