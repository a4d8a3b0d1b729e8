//! Counts and logs what came of attempts. While the other end takes nothing, one line says so, and one how many attempts
//! failed once it takes something again: a line for each would be most of the log of an outage.

use super::pool::Pool;
use super::report::{AttemptReport, DISABLED};
use crate::model::ids::DeliveryId;
use crate::model::time;
use crate::store::{Next, Settlement};
use std::collections::HashSet;
use tokio::time::Instant;

/// The attempts that failed and are repeated, since something was delivered.
#[derive(Default)]
pub(super) struct OutcomeLog(Option<Failing>);

struct Failing {
    since: Instant,
    attempts: u64,
}

impl OutcomeLog {
    /// Counts and logs a recorded result. Neither payload nor response is logged, nor the receiver's URL or address.
    pub(super) fn log(&mut self, pool: &Pool, report: &AttemptReport, settled: &HashSet<DeliveryId>) {
        let Settlement { lease, next, attempt } = &report.settlement;
        let (id, kind, detail) = (pool.log_id(lease.id), report.kind.as_str(), report.detail.as_str());
        let channel = pool.policy.channel.as_str();
        let (number, outcome, status) = (attempt.number, attempt.outcome, attempt.status);
        let millis = time::micros(attempt.duration) / 1000;
        if !settled.contains(&lease.id) {
            pool.metrics.lost_leases.inc();
            tracing::warn!(id, kind, attempt = number, outcome, "{channel} outcome not recorded: its claim was lost");
            return;
        }
        pool.metrics.count_attempt(outcome);
        if outcome != DISABLED {
            pool.metrics.delivery_time.observe(attempt.duration.as_secs_f64());
        }
        match next {
            Next::Delivered => {
                pool.metrics.delivered.inc();
                tracing::debug!(id, kind, attempt = number, status, millis, "{channel} delivered");
                self.delivered(pool);
            }
            Next::Failed => {
                pool.metrics.failed.inc();
                tracing::warn!(id, kind, attempt = number, outcome, status, detail, millis, "{channel} failed");
            }
            Next::Retry { after } => {
                pool.metrics.retried.inc();
                macro_rules! line {
                    ($level:ident) => {
                        tracing::$level!(
                            id,
                            kind,
                            attempt = number,
                            outcome,
                            status,
                            detail,
                            millis,
                            retry_in_seconds = after.as_secs(),
                            "{channel} not delivered yet"
                        )
                    };
                }
                if self.is_first_failure() {
                    line!(warn);
                } else {
                    line!(debug);
                }
            }
        }
    }

    fn is_first_failure(&mut self) -> bool {
        let failing = self.0.get_or_insert_with(|| Failing { since: Instant::now(), attempts: 0 });
        failing.attempts += 1;
        failing.attempts == 1
    }

    fn delivered(&mut self, pool: &Pool) {
        let Some(Failing { since, attempts }) = self.0.take().filter(|failing| failing.attempts > 1) else { return };
        let (channel, seconds) = (pool.policy.channel.plural(), since.elapsed().as_secs());
        tracing::info!(attempts_failed = attempts, seconds, "{channel} are delivered again");
    }
}
