//! How often something happened in each hour, in all processes together: each adds what it counted since the last time
//! (write-behind).

use super::values::with_rows;
use super::{Conn, Result, Store, Tx};
use crate::model::names::names;
use crate::model::time::Time;
use std::time::Duration;
use tokio::sync::Mutex;

pub const HOURLY_COUNT_RETENTION: Duration = Duration::from_hours(35 * 24);
const HOUR_MICROS: i64 = 3_600_000_000;
/// More than all series have in the hours that are shown at once.
const MAX_ROWS: i64 = 2_000;

names! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum HourlySeries {
        /// Signups that made an account.
        Signups = "signups",
        /// Logins that opened a session.
        Logins = "logins",
        LoginFailures = "login_failures",
        Deliveries = "deliveries",
        /// Webhooks that failed permanently.
        DeliveryFailures = "delivery_failures",
        /// Mails that were handed over.
        Mails = "mails",
        /// Mails that failed permanently.
        MailFailures = "mail_failures",
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeriesCounts([u64; HourlySeries::ALL.len()]);

impl SeriesCounts {
    /// Asks for the count of each series.
    pub fn new(of: impl FnMut(HourlySeries) -> u64) -> Self {
        Self(HourlySeries::ALL.map(of))
    }

    pub fn of(&self, series: HourlySeries) -> u64 {
        HourlySeries::ALL.iter().zip(self.0).find(|(of, _)| **of == series).map_or(0, |(_, count)| count)
    }

    pub fn add(&mut self, series: HourlySeries, count: u64) {
        for (_, sum) in HourlySeries::ALL.iter().zip(&mut self.0).filter(|(of, _)| **of == series) {
            *sum = sum.saturating_add(count);
        }
    }

    fn since(&self, earlier: &Self) -> Self {
        Self::new(|series| self.of(series).saturating_sub(earlier.of(series)))
    }
}

pub fn hour_of(time: Time) -> Time {
    Time::from_micros(time.as_micros().div_euclid(HOUR_MICROS) * HOUR_MICROS)
}

/// What this process has added so far.
#[derive(Default)]
pub struct HourlyCounts {
    written: Mutex<SeriesCounts>,
}

impl HourlyCounts {
    /// Adds what `totals`, the counts since the start of this process, are more than the last time to the hour of `now`.
    /// What could not be written is added the next time.
    pub async fn write(&self, store: &Store, totals: SeriesCounts, now: Time) -> Result<()> {
        let mut written = self.written.lock().await;
        let new = totals.since(&written);
        if new != SeriesCounts::default() {
            let mut tx = store.begin_autocommit_internal().await?;
            tx.hourly_counts_add(hour_of(now), &new).await?;
            tx.commit().await?;
            *written = totals;
        }
        Ok(())
    }
}

pub struct HourlyCountRow {
    pub hour: Time,
    /// The name of a [`HourlySeries`], possibly one of a newer version.
    pub name: String,
    pub count: i64,
}

row!(HourlyCountRow { hour, name, count });

const SINCE: &str = "SELECT hour, name, count FROM hourly_counts WHERE hour >= $1 ORDER BY hour, name LIMIT $2";
const DELETE_OLD: &str = "DELETE FROM hourly_counts WHERE (hour, name) IN \
    (SELECT hour, name FROM hourly_counts WHERE hour < $1 ORDER BY hour, name LIMIT $2)";

impl Conn {
    /// The counts of this hour and later ones, the oldest first.
    pub async fn hourly_counts_since(&mut self, hour: Time) -> Result<Vec<HourlyCountRow>> {
        fetch_all!(self, SINCE, hour, MAX_ROWS)
    }
}

impl Tx {
    async fn hourly_counts_add(&mut self, hour: Time, counts: &SeriesCounts) -> Result<()> {
        // The same order in all processes, so that two of them cannot deadlock.
        let rows = HourlySeries::ALL.map(|series| (series.as_str(), counts.of(series)));
        let rows = rows.into_iter().filter(|(_, count)| *count > 0);
        let sql = "INSERT INTO hourly_counts (hour, name, count) VALUES \
            ON CONFLICT (hour, name) DO UPDATE SET count = hourly_counts.count + excluded.count";
        execute!(self, sql, |sql| {
            with_rows(sql, rows, |mut row, (name, count)| {
                row.push_bind(hour).push_bind(name).push_bind(i64::try_from(count).unwrap_or(i64::MAX));
            })
        })
        .map(drop)
    }

    /// Removes at most `limit` counts of hours before `before`; returns how many.
    pub async fn hourly_counts_delete_old(&mut self, before: Time, limit: i64) -> Result<u64> {
        execute!(self, DELETE_OLD, before, limit)
    }
}

#[cfg(test)]
#[path = "hourly_counts_tests.rs"]
mod tests;
