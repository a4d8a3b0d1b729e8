//! The model: the expected state of each event, compared with the database.

use super::{Response, Step};
use crate::harness::{begin, begin_autocommit, push_event};
use crate::outbox::fixture::{Outbox, push, seconds};
use crate::outbox::steps::{LEASE_TTL, claim, clean, reap, settlement, start};
use doorward::model::ids::{EventId, UserId};
use doorward::model::list_place::ListPlace;
use doorward::model::time::Time;
use doorward::store::{Channel, Claimed, FailedRange, Finished, Lease, Next};
use std::collections::HashMap;

const MAX_ATTEMPTS: u32 = 3;
const RETRY_DELAYS_SECONDS: [u64; 2] = [30, 120];
const RETENTION_SECONDS: u64 = 60;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    Pending,
    Processing,
    Delivered,
    Failed,
}

/// An event of the model. Times are seconds of the test's clock, followed by the number of the step.
#[derive(Debug)]
struct Event {
    /// Known since the first claim.
    id: Option<EventId>,
    payload: Vec<u8>,
    state: State,
    attempts: i64,
    lease: i64,
    started: bool,
    interrupted: bool,
    due: (u64, usize),
    leased: (u64, usize),
    finished: u64,
    /// The number of attempts started and not released, including those before a replay.
    attempts_started: i64,
    times_sent: i64,
}

/// A claim that a process holds, or believes it holds.
struct HeldClaim {
    claimed: Claimed,
    started: bool,
    response: Option<Response>,
}

pub(super) struct World<'a> {
    outbox: &'a Outbox,
    events: Vec<Event>,
    held: Vec<HeldClaim>,
    /// Held by stopped processes.
    stopped: Vec<HeldClaim>,
    now: u64,
    step: usize,
}

impl<'a> World<'a> {
    pub(super) fn new(outbox: &'a Outbox) -> Self {
        Self { outbox, events: Vec::new(), held: Vec::new(), stopped: Vec::new(), now: 0, step: 0 }
    }

    pub(super) async fn apply(&mut self, step: &Step) {
        self.step += 1;
        match *step {
            Step::Push => self.push().await,
            Step::PushAndRollBack => self.push_and_roll_back().await,
            Step::Claim(limit) => self.claim(limit).await,
            Step::Reap => self.reap().await,
            Step::Wait(time) => self.wait(time),
            Step::Continue(which) => {
                if let Some(index) = which.checked_rem(self.stopped.len()) {
                    self.held.push(self.stopped.swap_remove(index));
                }
            }
            Step::Replay(which) => {
                if let Some(index) = which.checked_rem(self.events.len()) {
                    self.replay(index).await;
                }
            }
            Step::ReplayFailed => self.replay_failed().await,
            Step::Clean => self.clean().await,
            Step::Start(which)
            | Step::Send(which, _)
            | Step::Settle(which)
            | Step::Release(which)
            | Step::Crash(which)
            | Step::Stop(which) => {
                if let Some(index) = which.checked_rem(self.held.len()) {
                    self.work(step, index).await;
                }
            }
        }
        self.expect_agreement().await;
    }

    /// A step of a process that holds a claim.
    async fn work(&mut self, step: &Step, index: usize) {
        match *step {
            Step::Start(_) => self.start(index).await,
            Step::Send(_, response) => self.send(index, response),
            Step::Settle(_) => self.settle(index).await,
            Step::Release(_) => self.release(index).await,
            Step::Stop(_) => self.stopped.push(self.held.swap_remove(index)),
            _ => drop(self.held.swap_remove(index)),
        }
    }

    fn wait(&mut self, time: u64) {
        self.now += time;
        self.outbox.clock.advance(seconds(time));
    }

    async fn push(&mut self) {
        push(&self.outbox.store).await;
        let now = (self.now, self.step);
        let event = Event {
            id: None,
            payload: Vec::new(),
            state: State::Pending,
            attempts: 0,
            lease: 0,
            started: false,
            interrupted: false,
            due: now,
            leased: now,
            finished: 0,
            attempts_started: 0,
            times_sent: 0,
        };
        self.events.push(event);
    }

    async fn push_and_roll_back(&self) {
        let mut tx = begin(&self.outbox.store).await;
        let user_id = UserId(doorward::random::uuid_v4().unwrap());
        push_event(&mut tx, user_id).await;
        tx.rollback().await.unwrap();
    }

    async fn claim(&mut self, limit: usize) {
        let claimed = claim(&self.outbox.store, limit).await;
        let mut due: Vec<&mut Event> =
            self.events.iter_mut().filter(|event| event.state == State::Pending && event.due.0 <= self.now).collect();
        // Events restored by one run of the reaper are due at the same time.
        due.sort_by_key(|event| (event.due, event.id));
        due.truncate(limit);
        assert_eq!(claimed.len(), due.len(), "{due:?}");
        for (event, claimed) in due.into_iter().zip(&claimed) {
            if event.id.is_none() {
                event.payload.clone_from(&claimed.payload);
            }
            assert_eq!(*event.id.get_or_insert(claimed.id.event()), claimed.id.event(), "oldest first");
            assert_eq!(event.payload, claimed.payload, "always the same bytes");
            event.lease += 1;
            assert_eq!(
                (claimed.attempts, claimed.interrupted, claimed.lease),
                (event.attempts, event.interrupted, event.lease)
            );
            (event.state, event.started, event.leased) = (State::Processing, false, (self.now, self.step));
        }
        self.held.extend(claimed.into_iter().map(|claimed| HeldClaim { claimed, started: false, response: None }));
    }

    /// The event of a claim, if the claim is still valid.
    fn event(&mut self, lease: Lease) -> Option<&mut Event> {
        let event = self.events.iter_mut().find(|event| event.id == Some(lease.id.event()))?;
        (event.state == State::Processing && event.lease == lease.number).then_some(event)
    }

    async fn start(&mut self, index: usize) {
        let held = &self.held[index].claimed;
        let (lease, started) = (held.lease(), start(&self.outbox.store, std::slice::from_ref(held)).await);
        let now = (self.now, self.step);
        let mut expected = 0;
        if let Some(event) = self.event(lease).filter(|event| !event.started) {
            (event.started, event.leased) = (true, now);
            event.attempts += 1;
            event.attempts_started += 1;
            expected = 1;
            self.held[index].started = true;
        }
        assert_eq!(started, expected);
    }

    /// Sends a started attempt once, even if its claim has expired by now.
    fn send(&mut self, index: usize, response: Response) {
        let held = &mut self.held[index];
        if held.started && held.response.is_none() {
            held.response = Some(response);
            // Another process may have delivered it, and the cleanup removed it.
            if let Some(event) = self.events.iter_mut().find(|event| event.id == Some(held.claimed.id.event())) {
                event.times_sent += 1;
                assert_eq!(held.claimed.payload, event.payload);
            }
        }
    }

    async fn settle(&mut self, index: usize) {
        let Some(response) = self.held[index].response else { return };
        let held = self.held.swap_remove(index);
        let attempts = held.claimed.attempts + 1;
        let next = match response {
            Response::Success => Next::Delivered,
            Response::Retry if attempts < i64::from(MAX_ATTEMPTS) => {
                let delay = RETRY_DELAYS_SECONDS[usize::try_from(attempts - 1).unwrap()];
                Next::Retry { after: seconds(delay) }
            }
            Response::Retry | Response::Reject => Next::Failed,
        };
        let mut tx = begin(&self.outbox.store).await;
        let settled =
            tx.outbox_settle(Channel::Webhook, &[settlement(&self.outbox.store, &held.claimed, next)]).await.unwrap();
        tx.commit().await.unwrap();
        let (now, step) = (self.now, self.step);
        let mut expected = 0;
        if let Some(event) = self.event(held.claimed.lease()) {
            expected = 1;
            (event.interrupted, event.finished) = (false, now);
            event.state = match next {
                Next::Delivered => State::Delivered,
                Next::Failed => State::Failed,
                Next::Retry { after } => {
                    event.due = (now + after.as_secs(), step);
                    State::Pending
                }
            };
        }
        assert_eq!(settled.len(), expected);
    }

    /// Releases a claim that was not sent.
    async fn release(&mut self, index: usize) {
        if self.held[index].response.is_some() {
            return;
        }
        let lease = self.held.swap_remove(index).claimed.lease();
        let mut tx = begin_autocommit(&self.outbox.store).await;
        let released = tx.outbox_release(Channel::Webhook, &[lease]).await.unwrap();
        tx.commit().await.unwrap();
        let mut expected = 0;
        if let Some(event) = self.event(lease) {
            expected = 1;
            event.attempts -= i64::from(event.started);
            event.attempts_started -= i64::from(event.started);
            (event.state, event.started) = (State::Pending, false);
        }
        assert_eq!(released, expected);
    }

    async fn reap(&mut self) {
        let reaped = reap(&self.outbox.store, MAX_ATTEMPTS).await;
        let (now, step) = (self.now, self.step);
        let stale = self
            .events
            .iter_mut()
            .filter(|event| event.state == State::Processing && event.leased.0 + LEASE_TTL.as_secs() <= now);
        let mut expected = HashMap::new();
        for event in stale {
            let failed = event.started && event.attempts >= i64::from(MAX_ATTEMPTS);
            event.state = if failed { State::Failed } else { State::Pending };
            event.interrupted |= event.started;
            event.finished = now;
            if event.started {
                event.due = (now, step);
            }
            expected.insert(event.id.unwrap(), (event.started, event.attempts, failed));
        }
        let reaped: HashMap<_, _> =
            reaped.iter().map(|one| (one.id.event(), (one.started, one.attempts, one.failed))).collect();
        assert_eq!(reaped, expected);
    }

    /// Makes the event due now with fresh attempts, unless it is being processed.
    async fn replay(&mut self, index: usize) {
        let due = (self.now, self.step);
        let event = &mut self.events[index];
        // The operator only knows the ids of claimed events.
        let Some(id) = event.id else { return };
        let mut expected = Vec::new();
        if event.state != State::Processing {
            (event.state, event.attempts, event.due) = (State::Pending, 0, due);
            expected.push(id);
        }
        let mut tx = begin_autocommit(&self.outbox.store).await;
        let replayed = tx.outbox_replay(&[id]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(replayed, expected);
    }

    async fn replay_failed(&mut self) {
        let mut tx = begin(&self.outbox.store).await;
        let range = FailedRange { kind: None, since: Time::from_micros(0), until: ListPlace::START.at };
        let replayed = tx.outbox_replay_failed(&range, range.begin(), 1000).await.unwrap().replayed;
        tx.commit().await.unwrap();
        let mut expected = 0;
        for event in self.events.iter_mut().filter(|event| event.state == State::Failed) {
            (event.state, event.attempts, event.due) = (State::Pending, 0, (self.now, self.step));
            expected += 1;
        }
        assert_eq!(replayed, expected);
    }

    async fn clean(&mut self) {
        for (finished, state) in [(Finished::Delivered, State::Delivered), (Finished::Failed, State::Failed)] {
            let before = self.events.len();
            self.events.retain(|event| event.state != state || event.finished + RETENTION_SECONDS > self.now);
            let removed = clean(&self.outbox.store, finished, 1000).await;
            assert_eq!(removed, u64::try_from(before - self.events.len()).unwrap(), "{state:?}");
        }
    }

    async fn expect_agreement(&self) {
        for (state, name) in [
            (State::Pending, "pending"),
            (State::Processing, "processing"),
            (State::Delivered, "delivered"),
            (State::Failed, "failed"),
        ] {
            let count = self.events.iter().filter(|event| event.state == state).count();
            assert_eq!(self.outbox.count(name).await, i64::try_from(count).unwrap(), "{name}");
        }
        for event in &self.events {
            assert!(event.attempts <= i64::from(MAX_ATTEMPTS), "{event:?}");
            assert!(event.times_sent <= event.attempts_started, "sent without a counted attempt: {event:?}");
        }
    }

    /// All claims but those of stopped processes are dropped; then one process works without fault until every event is
    /// finished. The stopped processes, resumed after that, change nothing.
    pub(super) async fn finish(mut self) {
        self.held.clear();
        for _ in 0..=MAX_ATTEMPTS {
            for step in [Step::Wait(121), Step::Reap, Step::Claim(64)] {
                self.apply(&step).await;
            }
            while !self.held.is_empty() {
                for step in [Step::Start(0), Step::Send(0, Response::Success), Step::Settle(0)] {
                    self.apply(&step).await;
                }
            }
        }
        assert!(self.events.iter().all(|event| event.state >= State::Delivered), "{:#?}", self.events);
        let states = |world: &Self| world.events.iter().map(|event| event.state).collect::<Vec<_>>();
        let before = states(&self);
        while !self.stopped.is_empty() {
            for step in [Step::Continue(0), Step::Start(0), Step::Send(0, Response::Reject), Step::Settle(0)] {
                self.apply(&step).await;
            }
            self.held.clear();
        }
        assert_eq!(states(&self), before);
        let attempts = self.outbox.count_where("outbox", &format!("attempts > {MAX_ATTEMPTS}")).await;
        assert_eq!(attempts, 0);
    }
}
