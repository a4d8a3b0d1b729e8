//! What administrators see first: counts of the last day and week, and what waits to be sent.

use crate::model::time::Time;
use crate::store::{Channel, Conn, DeliveryState, HourlySeries, Result, SeriesCounts, hour_of};
use std::time::Duration;

/// Nothing of the overview is counted further.
pub const MAX_COUNTED: u64 = 10_000;
const HOUR: Duration = Duration::from_hours(1);
const HOURS_OF_DAY: u32 = 24;
const DAYS_OF_WEEK: u32 = 7;

#[derive(Debug)]
pub struct Overview {
    /// The last 24 hours, the oldest first; the last one is under way.
    pub day: Vec<CountedSpan>,
    /// The last seven spans of 24 hours, the oldest first; the last one is that of [`Overview::day`].
    pub week: Vec<CountedSpan>,
    pub events: Backlog,
    pub mails: Backlog,
}

/// What happened in a span of time.
#[derive(Clone, Copy, Debug)]
pub struct CountedSpan {
    pub from: Time,
    /// What happened in it, in all processes, a few seconds ago.
    pub counts: SeriesCounts,
}

/// What is to be sent, and what could not be, each counted up to [`MAX_COUNTED`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// What waits for its first attempt or for the next one.
    pub waiting: u64,
    /// What failed and is kept.
    pub failed: u64,
}

pub async fn overview(conn: &mut Conn, now: Time) -> Result<Overview> {
    let begin = hour_of(now) - HOUR * (DAYS_OF_WEEK * HOURS_OF_DAY - 1);
    let mut hours = spans(begin, HOUR, DAYS_OF_WEEK * HOURS_OF_DAY);
    for row in conn.hourly_counts_since(begin).await? {
        let hour = hours.iter_mut().find(|hour| hour.from == row.hour);
        if let (Some(hour), Some(series)) = (hour, HourlySeries::parse(&row.name)) {
            hour.counts.add(series, u64::try_from(row.count).unwrap_or(0));
        }
    }
    let mut week = spans(begin, HOUR * HOURS_OF_DAY, DAYS_OF_WEEK);
    let hours_of_day = usize::try_from(HOURS_OF_DAY).unwrap_or(usize::MAX);
    for (day, hours) in week.iter_mut().zip(hours.chunks(hours_of_day)) {
        for (hour, series) in hours.iter().flat_map(|hour| HourlySeries::ALL.map(|series| (hour, series))) {
            day.counts.add(series, hour.counts.of(series));
        }
    }
    let day = hours.split_off(hours.len().saturating_sub(hours_of_day));
    let (events, mails) = (backlog(conn, Channel::Webhook).await?, backlog(conn, Channel::Mail).await?);
    Ok(Overview { day, week, events, mails })
}

fn spans(begin: Time, length: Duration, count: u32) -> Vec<CountedSpan> {
    (0..count).map(|number| CountedSpan { from: begin + length * number, counts: SeriesCounts::default() }).collect()
}

async fn backlog(conn: &mut Conn, channel: Channel) -> Result<Backlog> {
    let most = i64::try_from(MAX_COUNTED).unwrap_or(i64::MAX);
    let mut found = Backlog::default();
    for queue in channel.queues() {
        found.waiting += conn.outbox_count(*queue, DeliveryState::Pending, most).await?;
        found.failed += conn.outbox_count(*queue, DeliveryState::Failed, most).await?;
    }
    Ok(Backlog { waiting: found.waiting.min(MAX_COUNTED), failed: found.failed.min(MAX_COUNTED) })
}
