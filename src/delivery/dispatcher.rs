//! Begins attempts and has them sent, never more at once than there are slots.

use super::carrier::Carrier;
use super::pool::Pool;
use super::report::{Message, Reports};
use super::started::{Held, is_low};
use super::stop::Stop;
use super::{held, shipment};
use crate::store::{Claimed, OUTBOX_BATCH};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::task::{JoinError, JoinHandle};
use tokio::time::Instant;

pub(super) struct Dispatcher {
    pool: Arc<Pool>,
    carrier: Arc<Carrier>,
    reports: Reports,
    claims: mpsc::Receiver<Vec<Claimed>>,
    stop: Stop,
    /// Claimed, not begun.
    waiting: VecDeque<Held>,
    /// Being begun.
    starting: Option<JoinHandle<Vec<Held>>>,
}

impl Dispatcher {
    pub(super) fn new(
        pool: Arc<Pool>,
        carrier: Arc<Carrier>,
        reports: mpsc::UnboundedSender<Message>,
        claims: mpsc::Receiver<Vec<Claimed>>,
        stop: Stop,
    ) -> Self {
        let (waiting, starting) = (VecDeque::new(), None);
        Self { pool, carrier, reports: reports.into(), claims, stop, waiting, starting }
    }

    /// Runs until the signal to stop; then gives back what was not sent and waits for what is under way.
    pub(super) async fn run(mut self) {
        while !self.stop.is_given() {
            if self.is_next_suspect() {
                self.send_alone().await;
            } else {
                self.start_more();
                self.step().await;
            }
        }
        self.finish().await;
    }

    /// Waits for whatever comes first, and does it.
    async fn step(&mut self) {
        let needs_slot = self.pool.started.len() > 0 || (self.starting.is_none() && !self.waiting.is_empty());
        // Enough for the next commit, so that it does not begin the last few of one batch alone.
        let needs_claims = self.waiting.is_empty() || self.waiting.len() < self.pool.pace.start_ahead();
        let give_back_at = self.oldest().map(|since| since + self.pool.pace.patience());
        tokio::select! {
            biased;
            () = self.stop.given() => {}
            begun = join(&mut self.starting), if self.starting.is_some() => self.take_begun(begun),
            Some(batch) = self.claims.recv(), if needs_claims => self.take_claimed(batch),
            () = self.pool.started.low(), if self.starting.is_none() && !self.waiting.is_empty() => {}
            Ok(slot) = self.pool.slots.clone().acquire_owned(), if needs_slot => self.use_slot(slot).await,
            () = until(give_back_at), if give_back_at.is_some() => self.give_back_old().await,
        }
    }

    fn take_claimed(&mut self, batch: Vec<Claimed>) {
        let since = Instant::now();
        for delivery in batch {
            if self.carrier.is_disabled(&delivery) {
                shipment::refuse(&self.pool, &self.reports, delivery);
            } else {
                self.waiting.push_back(Held { delivery, since });
            }
        }
    }

    /// Begins as many attempts as slots are free, and a few more when deliveries are fast.
    fn start_more(&mut self) {
        if self.starting.is_some() {
            return;
        }
        let started = self.pool.started.len();
        let free = self.pool.slots.available_permits();
        if !is_low(started.saturating_sub(free), &self.pool.pace) {
            return;
        }
        let count = (free + self.pool.pace.start_ahead()).saturating_sub(started).min(OUTBOX_BATCH);
        let suspect = self.waiting.iter().position(|held| held.delivery.interrupted).unwrap_or(self.waiting.len());
        let batch: Vec<Held> = self.waiting.drain(..count.min(suspect)).collect();
        if !batch.is_empty() {
            self.starting = Some(tokio::spawn(held::start(self.pool.clone(), batch, self.stop.clone())));
        }
    }

    fn take_begun(&mut self, begun: Result<Vec<Held>, JoinError>) {
        self.starting = None;
        match begun {
            Ok(begun) => self.pool.started.extend(begun),
            // The reaper sees to them.
            Err(error) => {
                tracing::error!(error = %error, "{} attempts could not be begun", self.pool.policy.channel.as_str());
            }
        }
    }

    async fn use_slot(&mut self, slot: OwnedSemaphorePermit) {
        if self.oldest().is_some_and(|since| since.elapsed() >= self.pool.pace.patience()) {
            // A process that was stopped and goes on finds the slot and the end of its patience at once.
            return self.give_back_old().await;
        }
        // Without anything begun, the free slot is the news: the next step begins something for it.
        if let Some(held) = self.pool.started.next(&self.pool.pace) {
            self.send(held, slot);
        }
    }

    fn send(&self, held: Held, slots: OwnedSemaphorePermit) {
        let (carrier, reports, stop) = (self.carrier.clone(), self.reports.clone(), self.stop.clone());
        tokio::spawn(shipment::send(self.pool.clone(), carrier, reports, held.delivery, slots, stop));
    }

    /// Whether the next delivery may have killed a process, and all before it are on their way.
    fn is_next_suspect(&self) -> bool {
        self.starting.is_none()
            && self.pool.started.len() == 0
            && self.waiting.front().is_some_and(|held| held.delivery.interrupted)
    }

    /// Sends the next delivery while no other is under way and all outcomes are written; nor is any other begun until
    /// this one is over.
    async fn send_alone(&mut self) {
        let Some(slots) = self.all_slots().await else { return };
        self.reports.flush().await;
        let Some(held) = self.waiting.pop_front() else { return };
        let begun = held::start(self.pool.clone(), vec![held], self.stop.clone()).await;
        if let Some(held) = begun.into_iter().next() {
            self.send(held, slots);
            drop(self.all_slots().await);
        }
    }

    /// Waits until nothing is under way, or for the signal to stop.
    async fn all_slots(&mut self) -> Option<OwnedSemaphorePermit> {
        let all = u32::try_from(self.pool.policy.slots).unwrap_or(u32::MAX);
        tokio::select! {
            biased;
            () = self.stop.given() => None,
            slots = self.pool.slots.clone().acquire_many_owned(all) => slots.ok(),
        }
    }

    fn oldest(&self) -> Option<Instant> {
        self.waiting.front().map(|held| held.since).into_iter().chain(self.pool.started.oldest()).min()
    }

    /// Gives back what has waited here too long: another process may be faster, and a lease must not end under way.
    async fn give_back_old(&mut self) {
        let patience = self.pool.pace.patience();
        let mut old = self.pool.started.take_older(patience);
        while self.waiting.front().is_some_and(|held| held.since.elapsed() >= patience) {
            old.extend(self.waiting.pop_front());
        }
        let channel = self.pool.policy.channel.plural();
        tracing::debug!(events = old.len(), "claimed {channel} go back: deliveries have become slow");
        held::release(&self.pool, &old, &self.stop).await;
    }

    async fn finish(mut self) {
        let mut held: Vec<Held> = self.waiting.drain(..).chain(self.pool.started.take_all()).collect();
        if let Some(starting) = self.starting.take() {
            held.extend(starting.await.unwrap_or_default());
        }
        // The claimer ends by the same signal, and hands over what it has.
        while let Some(batch) = self.claims.recv().await {
            held.extend(batch.into_iter().map(|delivery| Held { delivery, since: Instant::now() }));
        }
        held::release(&self.pool, &held, &self.stop).await;
        let all = u32::try_from(self.pool.policy.slots).unwrap_or(u32::MAX);
        // All slots free: nothing is under way, and every outcome is reported.
        let _ = self.pool.slots.acquire_many(all).await;
        self.carrier.close().await;
    }
}

async fn join(task: &mut Option<JoinHandle<Vec<Held>>>) -> Result<Vec<Held>, JoinError> {
    match task {
        Some(task) => task.await,
        None => std::future::pending().await,
    }
}

async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
