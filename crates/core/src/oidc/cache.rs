//! The cache of a document of a provider.

use super::fault::ProviderFault;
use crate::clock::Clock;
use crate::model::time::Time;
use parking_lot::Mutex;
use std::sync::Arc;
use std::time::Duration;

/// The least and the greatest time for which an answer is kept, and the one of an answer that states none.
const LEAST: Duration = Duration::from_mins(5);
const GREATEST: Duration = Duration::from_hours(24);
const UNSTATED: Duration = Duration::from_hours(1);
/// How long what was there stays good while fetching fails.
const GRACE: Duration = Duration::from_hours(24);
/// How long a failed fetch is not repeated while what was there is good; and the least time between two fetches for keys
/// that are unknown.
const PAUSE: Duration = Duration::from_mins(1);

/// A document, fetched by one request at a time.
#[derive(Debug)]
pub(super) struct Cached<T> {
    state: Mutex<State<T>>,
    fetching: tokio::sync::Mutex<()>,
}

#[derive(Debug)]
struct State<T> {
    document: Option<Document<T>>,
    attempts: u64,
    /// The last attempt, if it failed.
    failed: Option<(Time, ProviderFault)>,
    /// When it was last fetched although it was fresh.
    renewed_at: Option<Time>,
}

#[derive(Debug)]
struct Document<T> {
    value: Arc<T>,
    fetched_at: Time,
    fresh_for: Duration,
}

impl<T> Default for Cached<T> {
    fn default() -> Self {
        let state = State { document: None, attempts: 0, failed: None, renewed_at: None };
        Self { state: Mutex::new(state), fetching: tokio::sync::Mutex::new(()) }
    }
}

/// Whether `now` is within `period` after `start`. A clock that was set back ends every period.
fn is_within(now: Time, start: Time, period: Duration) -> bool {
    start <= now && now < start + period
}

impl<T> State<T> {
    /// The document, while it need not be fetched.
    fn current(&self, now: Time) -> Option<Arc<T>> {
        let Document { value, fetched_at, fresh_for } = self.document.as_ref()?;
        let is_fresh = is_within(now, *fetched_at, *fresh_for);
        let is_good = is_within(now, *fetched_at, *fresh_for + GRACE);
        let pauses = self.failed.as_ref().is_some_and(|(at, _)| is_within(now, *at, PAUSE));
        (is_fresh || is_good && pauses).then(|| value.clone())
    }

    fn record(&mut self, now: Time, fetched: Result<(T, Duration), ProviderFault>) -> Result<Arc<T>, ProviderFault> {
        self.attempts = self.attempts.wrapping_add(1);
        match fetched {
            Ok((value, fresh_for)) => {
                let value = Arc::new(value);
                self.document = Some(Document { value: value.clone(), fetched_at: now, fresh_for });
                self.failed = None;
                Ok(value)
            }
            Err(fault) => {
                self.failed = Some((now, fault.clone()));
                self.current(now).ok_or(fault)
            }
        }
    }
}

impl<T> Cached<T> {
    /// The document, from `fetch` where it is not fresh. Those who wait for the same fetch get its outcome.
    pub(super) async fn get<F>(&self, clock: &Clock, fetch: F) -> Result<Arc<T>, ProviderFault>
    where
        F: AsyncFnOnce() -> Result<(T, Duration), ProviderFault>,
    {
        let attempts = {
            let state = self.state.lock();
            if let Some(value) = state.current(clock.now()) {
                return Ok(value);
            }
            state.attempts
        };
        let _one = self.fetching.lock().await;
        {
            let state = self.state.lock();
            if let Some(value) = state.current(clock.now()) {
                return Ok(value);
            }
            if let Some((_, fault)) = state.failed.as_ref().filter(|_| state.attempts != attempts) {
                return Err(fault.clone());
            }
        }
        let fetched = fetch().await;
        self.state.lock().record(clock.now(), fetched)
    }

    /// The document after another fetch, if the last of this kind is a minute ago; else the one that is there.
    pub(super) async fn renewed<F>(&self, clock: &Clock, fetch: F) -> Option<Arc<T>>
    where
        F: AsyncFnOnce() -> Result<(T, Duration), ProviderFault>,
    {
        let _one = self.fetching.lock().await;
        let now = clock.now();
        {
            let mut state = self.state.lock();
            if state.renewed_at.is_some_and(|at| is_within(now, at, PAUSE)) {
                return state.current(now);
            }
            state.renewed_at = Some(now);
        }
        let fetched = fetch().await;
        self.state.lock().record(clock.now(), fetched).ok()
    }
}

/// How long an answer is kept, by its `Cache-Control` headers (RFC 9111, 5.2.2.1).
pub(super) fn fresh_for<'a>(headers: impl Iterator<Item = &'a str>) -> Duration {
    let seconds = headers.flat_map(|header| header.split(',')).find_map(|directive| {
        let (name, value) = directive.split_once('=')?;
        let value = value.trim().trim_matches('"');
        let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
        // What is too large for a number is a long time all the same.
        (name.trim().eq_ignore_ascii_case("max-age") && is_number).then(|| value.parse().unwrap_or(u64::MAX))
    });
    seconds.map_or(UNSTATED, |seconds| Duration::from_secs(seconds).clamp(LEAST, GREATEST))
}

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;
