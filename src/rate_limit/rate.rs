//! The arithmetic of token buckets, in the database and in memory.

use crate::model::time::Time;
use crate::store::LimitRow;
use std::time::Duration;

/// The capacity of a bucket, and the time in which it refills by one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    pub(super) burst: u32,
    pub(super) refill_interval: Duration,
}

impl Rate {
    /// The bucket with one less; if it is empty, the error is the time until it refills by one.
    pub(super) fn take(self, bucket: LimitRow, now: Time) -> Result<LimitRow, Duration> {
        self.full_after(bucket.at, now)?;
        Ok(self.overdraw(bucket, now))
    }

    /// When a bucket that is full at `full_at` is full again after one is taken; if it is empty, the error is the time
    /// until it refills by one.
    pub(super) fn full_after(self, full_at: Time, now: Time) -> Result<Time, Duration> {
        let after = full_at.max(now) + self.refill_interval;
        // Zero while the bucket is not empty.
        let wait = after.since(now).saturating_sub(self.refill_interval * self.burst);
        if wait.is_zero() { Ok(after) } else { Err(wait) }
    }

    /// The bucket with one less, also if it is empty: then it takes longer to refill.
    pub(super) fn overdraw(self, bucket: LimitRow, now: Time) -> LimitRow {
        let at = bucket.at.max(now) + self.refill_interval;
        LimitRow { at, expires_at: at, ..bucket }
    }

    /// The bucket with one more: a successful attempt does not count.
    pub(super) fn give_back(self, bucket: LimitRow) -> LimitRow {
        LimitRow { at: bucket.at - self.refill_interval, ..bucket }
    }
}

#[cfg(test)]
#[path = "rate_tests.rs"]
mod tests;
