//! An attempt in progress. Its result is always reported, also after a panic.

use super::attempt_result::AttemptResult;
use super::pool::Pool;
use super::report::DISABLED;
use super::report::{AttemptReport, Reports};
use super::shutdown::Shutdown;
use super::transport::Transport;
use crate::model::time::Time;
use crate::store::{Attempt, Claimed, Next, Settlement};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

/// An attempt in progress. Dropped without a result, as by a panic, it reports an internal failure, so that neither the
/// delivery nor its slot is lost.
struct DeliveryAttempt {
    pool: Arc<Pool>,
    transport: Arc<Transport>,
    delivery: Claimed,
    reports: Reports,
    started_at: Time,
    started: Instant,
    reported: bool,
}

/// Sends a delivery whose attempt was started, then takes more from the ready queue, one by one. Frees its slots after
/// the last report.
pub(super) async fn send(
    pool: Arc<Pool>,
    transport: Arc<Transport>,
    reports: Reports,
    delivery: Claimed,
    slots: OwnedSemaphorePermit,
    shutdown: Shutdown,
) {
    let mut next = Some(delivery);
    while let Some(delivery) = next {
        let mut attempt = DeliveryAttempt {
            started_at: pool.store.clock().now(),
            pool: pool.clone(),
            transport: transport.clone(),
            delivery,
            reports: reports.clone(),
            started: Instant::now(),
            reported: false,
        };
        let attempt_result = attempt.run().await;
        attempt.report(attempt_result);
        drop(attempt);
        next = if shutdown.is_requested() {
            None
        } else {
            pool.ready.next(&pool.throttle).map(|claimed| claimed.delivery)
        };
    }
    drop(slots);
}

/// Fails a delivery whose kind is no longer enabled; no attempt is used up.
pub(super) fn fail_disabled(pool: &Pool, reports: &Reports, delivery: Claimed) {
    let attempt = Attempt {
        number: delivery.attempts,
        started_at: pool.store.clock().now(),
        duration: Duration::ZERO,
        outcome: DISABLED,
        status: None,
        response: Vec::new(),
    };
    let settlement = Settlement { lease: delivery.lease(), next: Next::Failed, attempt };
    reports.report(AttemptReport {
        settlement,
        kind: delivery.kind,
        subject: delivery.subject,
        detail: "the event's kind is not enabled".to_owned(),
    });
}

impl DeliveryAttempt {
    /// 1 for the first attempt.
    fn number(&self) -> i64 {
        self.delivery.attempts + 1
    }

    async fn run(&self) -> AttemptResult {
        let Claimed { id, kind, .. } = &self.delivery;
        let channel = self.pool.policy.channel.as_str();
        tracing::trace!(id = self.pool.log_id(*id), kind, attempt = self.number(), "{channel} attempt started");
        self.transport.attempt(&self.delivery, self.number()).await
    }

    fn report(&mut self, attempt_result: AttemptResult) {
        self.reported = true;
        let duration = self.started.elapsed();
        self.pool.throttle.observe(duration);
        let AttemptResult { class, status, response, detail, next } = attempt_result;
        let number = self.number();
        let attempt = Attempt { number, started_at: self.started_at, duration, outcome: class, status, response };
        let settlement = Settlement { lease: self.delivery.lease(), next, attempt };
        let (kind, subject) = (std::mem::take(&mut self.delivery.kind), self.delivery.subject.take());
        self.reports.report(AttemptReport { settlement, kind, subject, detail });
    }
}

impl Drop for DeliveryAttempt {
    fn drop(&mut self) {
        if !self.reported {
            self.report(self.transport.aborted(self.number()));
        }
    }
}
