//! An event on its way into the outbox.

use crate::model::ids::EventId;
use crate::model::time::Time;

/// An event that its transaction has not written yet.
pub(super) struct OutboxEvent {
    pub(super) id: EventId,
    pub(super) kind: &'static str,
    pub(super) payload: Vec<u8>,
    pub(super) created_at: Time,
}
