//! The state that all tasks of a channel share.

use super::policy::DeliveryPolicy;
use super::ready_queue::ReadyQueue;
use super::throttle::Throttle;
use crate::metrics::DeliveryMetrics;
use crate::model::ids::DeliveryId;
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::store::{self, Channel, Conn, Queue, Store, Tx};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, Semaphore};

/// The state that all tasks of a channel share.
pub(super) struct Pool {
    pub(super) store: Store,
    pub(super) principal: Principal,
    pub(super) policy: DeliveryPolicy,
    pub(super) metrics: Arc<DeliveryMetrics>,
    pub(super) throttle: Throttle,
    /// One permit for each attempt that may be in progress.
    pub(super) slots: Arc<Semaphore>,
    /// Started, waiting for a slot.
    pub(super) ready: ReadyQueue,
    /// Notified when other processes should poll the outbox too.
    pub(super) local_wakeup: Notify,
    /// Notified when another process has put something into the outbox.
    pub(super) remote_wakeup: Notify,
    /// Notified when the next event of a subject may be claimed.
    pub(super) turn_passed: Notify,
}

/// What the tasks of a channel may do.
pub(super) const PERMISSIONS: &[Operation] = &[Operation::Deliver, Operation::CleanUp];

impl Pool {
    pub(super) async fn read(&self) -> store::Result<Conn> {
        self.store.read(&self.principal, Operation::Deliver).await
    }

    /// When the oldest delivery became due that has been due for at least `by`, if there is one.
    pub(super) async fn oldest_overdue(&self, by: Duration) -> store::Result<Option<Time>> {
        let mut conn = self.read().await?;
        let mut oldest: Option<Time> = None;
        for queue in self.policy.channel.queues() {
            let overdue = conn.outbox_overdue(*queue, by).await?;
            oldest = oldest.into_iter().chain(overdue).min();
        }
        Ok(oldest)
    }

    /// A transaction that records what became of deliveries.
    pub(super) async fn begin(&self) -> store::Result<Tx> {
        self.store.begin(&self.principal, Operation::Deliver).await
    }

    /// A statement that takes, uses or releases leases of deliveries.
    pub(super) async fn begin_lease(&self) -> store::Result<Tx> {
        self.store.begin_lease(&self.principal, Operation::Deliver).await
    }

    pub(super) async fn begin_claim(&self, queue: Queue) -> store::Result<Tx> {
        self.store.begin_claim(&self.principal, Operation::Deliver, queue).await
    }

    /// Lets the next event of each of these subjects be claimed, after the commit that ended an attempt or found one
    /// under way. If it fails, the reaper does it.
    pub(super) async fn pass_turns(&self, subjects: &[String]) {
        if subjects.is_empty() {
            return;
        }
        let passed = async {
            let next = self.read().await?.outbox_next_turns(subjects).await?;
            if next.is_empty() {
                return Ok(0);
            }
            let mut tx = self.begin_lease().await?;
            let passed = tx.outbox_pass_turns(&next).await?;
            tx.commit().await?;
            store::Result::Ok(passed)
        };
        match passed.await {
            Ok(0) => {}
            Ok(_) => self.turn_passed.notify_one(),
            Err(error) => error.log("the next events of some users or organizations wait for the reaper"),
        }
    }

    /// A delivery's id, as it is logged.
    pub(super) fn log_id(&self, id: DeliveryId) -> String {
        match self.policy.channel {
            Channel::Webhook => id.event().wire(),
            Channel::Mail => id.to_string(),
        }
    }
}
