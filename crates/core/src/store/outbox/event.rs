//! An event on its way into the outbox.

use crate::model::event::Event;

/// An event that its transaction has not written yet.
pub(in crate::store) struct OutboxEvent {
    pub(in crate::store) event: Event,
    /// As the header of its webhook has it.
    pub(in crate::store) traceparent: Option<String>,
}
