//! The state that all tasks of a channel share.

use super::figures::Figures;
use super::pace::Pace;
use super::policy::Policy;
use super::started::Started;
use crate::model::ids::EventId;
use crate::store::{Channel, Store};
use std::sync::Arc;
use tokio::sync::{Notify, Semaphore};

/// What all tasks of the pool share.
pub(super) struct Pool {
    pub(super) store: Store,
    pub(super) policy: Policy,
    pub(super) figures: Arc<Figures>,
    pub(super) pace: Pace,
    /// One permit for each attempt that may be under way.
    pub(super) slots: Arc<Semaphore>,
    /// Begun, waiting for a slot.
    pub(super) started: Started,
    /// Rung when other processes should look into the outbox too.
    pub(super) herald: Notify,
    /// Rung when another process said that there is something in the outbox.
    pub(super) heard: Notify,
}

impl Pool {
    /// A delivery's id, as it stands in the log.
    pub(super) fn name(&self, id: EventId) -> String {
        match self.policy.channel {
            Channel::Webhook => id.wire(),
            Channel::Mail => id.to_string(),
        }
    }
}
