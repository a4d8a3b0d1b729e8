//! One attempt under way, which is reported whatever becomes of it.

use super::carrier::Carrier;
use super::pool::Pool;
use super::report::DISABLED;
use super::report::{Report, Reports};
use super::stop::Stop;
use super::verdict::Verdict;
use crate::model::time::Time;
use crate::store::{Attempt, Claimed, Next, Settlement};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

/// One attempt under way. Dropped without an outcome, as by a panic, it reports a fault of our own, so that neither the
/// delivery nor its slot is lost.
struct Shipment {
    pool: Arc<Pool>,
    carrier: Arc<Carrier>,
    delivery: Claimed,
    reports: Reports,
    started_at: Time,
    began: Instant,
    reported: bool,
}

/// Sends a delivery whose attempt was begun, and after it, one by one, those that wait for a slot. Frees its slots after
/// the last report.
pub(super) async fn send(
    pool: Arc<Pool>,
    carrier: Arc<Carrier>,
    reports: Reports,
    delivery: Claimed,
    slots: OwnedSemaphorePermit,
    stop: Stop,
) {
    let mut next = Some(delivery);
    while let Some(delivery) = next {
        let mut shipment = Shipment {
            started_at: pool.store.clock().now(),
            pool: pool.clone(),
            carrier: carrier.clone(),
            delivery,
            reports: reports.clone(),
            began: Instant::now(),
            reported: false,
        };
        let verdict = shipment.attempt().await;
        shipment.report(verdict);
        drop(shipment);
        next = if stop.is_given() { None } else { pool.started.next(&pool.pace).map(|held| held.delivery) };
    }
    drop(slots);
}

/// Reports that a delivery will not be sent because its kind is no longer enabled; no attempt is used up.
pub(super) fn refuse(pool: &Pool, reports: &Reports, delivery: Claimed) {
    let attempt = Attempt {
        number: delivery.attempts,
        started_at: pool.store.clock().now(),
        duration: Duration::ZERO,
        outcome: DISABLED,
        status: None,
        response: Vec::new(),
    };
    let settlement = Settlement { lease: delivery.held(), next: Next::Failed, attempt };
    reports.report(Report { settlement, kind: delivery.kind, detail: "the event's kind is not enabled".to_owned() });
}

impl Shipment {
    /// 1 for the first attempt.
    fn number(&self) -> i64 {
        self.delivery.attempts + 1
    }

    async fn attempt(&self) -> Verdict {
        let Claimed { id, kind, .. } = &self.delivery;
        let channel = self.pool.policy.channel.as_str();
        tracing::trace!(id = self.pool.name(*id), kind, attempt = self.number(), "{channel} attempt begun");
        self.carrier.attempt(&self.delivery, self.number()).await
    }

    fn report(&mut self, verdict: Verdict) {
        self.reported = true;
        let duration = self.began.elapsed();
        self.pool.pace.observe(duration);
        let Verdict { class, status, response, detail, next } = verdict;
        let number = self.number();
        let attempt = Attempt { number, started_at: self.started_at, duration, outcome: class, status, response };
        let settlement = Settlement { lease: self.delivery.held(), next, attempt };
        let kind = std::mem::take(&mut self.delivery.kind);
        self.reports.report(Report { settlement, kind, detail });
    }
}

impl Drop for Shipment {
    fn drop(&mut self) {
        if !self.reported {
            self.report(self.carrier.broken_off(self.number()));
        }
    }
}
