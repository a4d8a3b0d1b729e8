//! An event on its way into the outbox.

use crate::model::ids::EventId;
use crate::model::time::Time;

/// An event that its transaction has not written yet.
pub(in crate::store) struct OutboxEvent {
    pub(in crate::store) id: EventId,
    pub(in crate::store) kind: &'static str,
    pub(in crate::store) payload: Vec<u8>,
    pub(in crate::store) created_at: Time,
    /// As the header of its webhook has it.
    pub(in crate::store) traceparent: Option<String>,
}
