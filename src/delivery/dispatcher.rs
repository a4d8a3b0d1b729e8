//! Starts attempts and sends them, never more at once than there are slots.

use super::pool::Pool;
use super::ready_queue::{ClaimedDelivery, is_low};
use super::report::{Reports, SettlerMessage};
use super::shutdown::Shutdown;
use super::transport::Transport;
use super::{attempt, claims};
use crate::store::{Claimed, OUTBOX_BATCH};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::task::{JoinError, JoinHandle};
use tokio::time::Instant;

pub(super) struct Dispatcher {
    pool: Arc<Pool>,
    transport: Arc<Transport>,
    reports: Reports,
    claims: mpsc::Receiver<Vec<Claimed>>,
    shutdown: Shutdown,
    /// Claimed, not started.
    waiting: VecDeque<ClaimedDelivery>,
    starting: Option<JoinHandle<Vec<ClaimedDelivery>>>,
}

impl Dispatcher {
    pub(super) fn new(
        pool: Arc<Pool>,
        transport: Arc<Transport>,
        reports: mpsc::UnboundedSender<SettlerMessage>,
        claims: mpsc::Receiver<Vec<Claimed>>,
        shutdown: Shutdown,
    ) -> Self {
        let (waiting, starting) = (VecDeque::new(), None);
        Self { pool, transport, reports: reports.into(), claims, shutdown, waiting, starting }
    }

    /// Runs until shutdown; then releases what was not sent and waits for the attempts in progress.
    pub(super) async fn run(mut self) {
        while !self.shutdown.is_requested() {
            if self.is_next_interrupted() {
                self.send_alone().await;
            } else {
                self.start_more();
                self.step().await;
            }
        }
        self.finish().await;
    }

    /// Waits for the first of its events, and handles it.
    async fn step(&mut self) {
        let needs_slot = self.pool.ready.len() > 0 || (self.starting.is_none() && !self.waiting.is_empty());
        // Enough for the next commit, so that it does not start the last few of one batch alone.
        let needs_claims = self.waiting.is_empty() || self.waiting.len() < self.pool.throttle.start_ahead();
        let release_at = self.oldest().map(|since| since + self.pool.throttle.max_wait());
        tokio::select! {
            biased;
            () = self.shutdown.requested() => {}
            started = join(&mut self.starting), if self.starting.is_some() => self.on_started(started),
            Some(batch) = self.claims.recv(), if needs_claims => self.on_claimed(batch),
            () = self.pool.ready.low(), if self.starting.is_none() && !self.waiting.is_empty() => {}
            Ok(slot) = self.pool.slots.clone().acquire_owned(), if needs_slot => self.use_slot(slot).await,
            () = sleep_until(release_at), if release_at.is_some() => self.release_old().await,
        }
    }

    fn on_claimed(&mut self, batch: Vec<Claimed>) {
        let since = Instant::now();
        for delivery in batch {
            if self.transport.is_disabled(&delivery) {
                attempt::fail_disabled(&self.pool, &self.reports, delivery);
            } else {
                self.waiting.push_back(ClaimedDelivery { delivery, since });
            }
        }
    }

    /// Starts as many attempts as slots are free, and a few more when deliveries are fast.
    fn start_more(&mut self) {
        if self.starting.is_some() {
            return;
        }
        let ready = self.pool.ready.len();
        let free = self.pool.slots.available_permits();
        if !is_low(ready.saturating_sub(free), &self.pool.throttle) {
            return;
        }
        let count = (free + self.pool.throttle.start_ahead()).saturating_sub(ready).min(OUTBOX_BATCH);
        let interrupted =
            self.waiting.iter().position(|claimed| claimed.delivery.interrupted).unwrap_or(self.waiting.len());
        let batch: Vec<ClaimedDelivery> = self.waiting.drain(..count.min(interrupted)).collect();
        if !batch.is_empty() {
            self.starting = Some(tokio::spawn(claims::start(self.pool.clone(), batch, self.shutdown.clone())));
        }
    }

    fn on_started(&mut self, started: Result<Vec<ClaimedDelivery>, JoinError>) {
        self.starting = None;
        match started {
            Ok(started) => self.pool.ready.extend(started),
            // The reaper takes their claims back.
            Err(error) => {
                tracing::error!(error = %error, "{} attempts could not be started", self.pool.policy.channel.as_str());
            }
        }
    }

    async fn use_slot(&mut self, slot: OwnedSemaphorePermit) {
        if self.oldest().is_some_and(|since| since.elapsed() >= self.pool.throttle.max_wait()) {
            // A process that was suspended and resumed may see the free slot before the end of the wait.
            return self.release_old().await;
        }
        // If none is ready, the next call of `start_more` sees the free slot and starts an attempt for it.
        if let Some(claimed) = self.pool.ready.next(&self.pool.throttle) {
            self.send(claimed, slot);
        }
    }

    fn send(&self, claimed: ClaimedDelivery, slots: OwnedSemaphorePermit) {
        let (transport, reports, shutdown) = (self.transport.clone(), self.reports.clone(), self.shutdown.clone());
        tokio::spawn(attempt::send(self.pool.clone(), transport, reports, claimed.delivery, slots, shutdown));
    }

    /// Whether the next delivery may have crashed a process, and all before it are being sent.
    fn is_next_interrupted(&self) -> bool {
        self.starting.is_none()
            && self.pool.ready.len() == 0
            && self.waiting.front().is_some_and(|claimed| claimed.delivery.interrupted)
    }

    /// Sends the next delivery while no other is in progress and all results are settled; no other is started before it
    /// has ended.
    async fn send_alone(&mut self) {
        let Some(slots) = self.all_slots().await else { return };
        self.reports.flush().await;
        let Some(claimed) = self.waiting.pop_front() else { return };
        let started = claims::start(self.pool.clone(), vec![claimed], self.shutdown.clone()).await;
        if let Some(claimed) = started.into_iter().next() {
            self.send(claimed, slots);
            drop(self.all_slots().await);
        }
    }

    /// Waits until no attempt is in progress; `None` at shutdown.
    async fn all_slots(&mut self) -> Option<OwnedSemaphorePermit> {
        let all = u32::try_from(self.pool.policy.slots).unwrap_or(u32::MAX);
        tokio::select! {
            biased;
            () = self.shutdown.requested() => None,
            slots = self.pool.slots.clone().acquire_many_owned(all) => slots.ok(),
        }
    }

    fn oldest(&self) -> Option<Instant> {
        self.waiting.front().map(|claimed| claimed.since).into_iter().chain(self.pool.ready.oldest()).min()
    }

    /// Releases what has waited here too long: another process may be faster, and a lease must not expire during an
    /// attempt.
    async fn release_old(&mut self) {
        let max_wait = self.pool.throttle.max_wait();
        let mut old = self.pool.ready.take_older(max_wait);
        while self.waiting.front().is_some_and(|claimed| claimed.since.elapsed() >= max_wait) {
            old.extend(self.waiting.pop_front());
        }
        let channel = self.pool.policy.channel.plural();
        tracing::debug!(deliveries = old.len(), "claimed {channel} are released: deliveries have become slow");
        claims::release(&self.pool, &old, &self.shutdown).await;
    }

    async fn finish(mut self) {
        let mut claimed: Vec<ClaimedDelivery> = self.waiting.drain(..).chain(self.pool.ready.take_all()).collect();
        if let Some(starting) = self.starting.take() {
            claimed.extend(starting.await.unwrap_or_default());
        }
        // The claimer ends at the same signal, and sends what it has claimed.
        while let Some(batch) = self.claims.recv().await {
            claimed.extend(batch.into_iter().map(|delivery| ClaimedDelivery { delivery, since: Instant::now() }));
        }
        claims::release(&self.pool, &claimed, &self.shutdown).await;
        let all = u32::try_from(self.pool.policy.slots).unwrap_or(u32::MAX);
        // All slots are free: no attempt is in progress, and every result is reported.
        let _ = self.pool.slots.acquire_many(all).await;
        self.transport.close().await;
    }
}

async fn join(task: &mut Option<JoinHandle<Vec<ClaimedDelivery>>>) -> Result<Vec<ClaimedDelivery>, JoinError> {
    match task {
        Some(task) => task.await,
        None => std::future::pending().await,
    }
}

async fn sleep_until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}
