//! The state that every connection of a process shares.

use super::database_clock::DatabaseClock;
use super::outbox::channel::Wakeups;
use super::provider::memory::ProviderMemory;
use super::session::state::SessionState;
use super::status::{AuditCounts, LastWrite};
use crate::clock::Clock;
use crate::model::event::EventKinds;
use parking_lot::RwLock;
use std::sync::atomic::AtomicU64;

/// The state that every connection of a process shares.
pub(super) struct Shared {
    pub(super) clock: Clock,
    pub(super) database_clock: DatabaseClock,
    /// The kinds of event that are stored; none without webhooks.
    pub(super) events: RwLock<EventKinds>,
    /// Notified after a commit that put something into the outbox.
    pub(super) outbox_wakeups: Wakeups,
    /// See [`Store::statements`](super::Store::statements).
    pub(super) statements: AtomicU64,
    pub(super) last_write: LastWrite,
    /// What was written to the audit log.
    pub(super) audited: AuditCounts,
    pub(super) sessions: SessionState,
    pub(super) providers: ProviderMemory,
}

impl Shared {
    pub(super) fn events(&self) -> EventKinds {
        *self.events.read()
    }

    pub(super) fn set_events(&self, events: EventKinds) {
        *self.events.write() = events;
    }
}
