//! Any order of steps, of any number of processes, some of which are dead without knowing it: the database does what a
//! small model of the states says, and every event ends delivered or failed.

use crate::harness::{Engine, scaled};
use crate::outbox::fixture::{Outbox, push, seconds};
use crate::outbox::steps::{STALE, claim, reap, settlement, start};
use doorward::domain::ids::{EventId, UserId};
use doorward::store::{Claimed, Lease, Next};
use proptest::prelude::*;
use std::collections::HashMap;

const MAX_ATTEMPTS: u32 = 3;
const DELAYS: [u64; 2] = [30, 120];

/// One step. A number says which of the claims that somebody holds it is about.
#[derive(Clone, Debug)]
enum Step {
    Push,
    PushAndRollBack,
    Claim(usize),
    Start(usize),
    /// Sends it and learns what the receiver says: delivered, come again, or never again.
    Send(usize, Answered),
    /// Writes down what was learned.
    Settle(usize),
    Release(usize),
    Reap,
    /// Forgets a claim, as a process that dies does.
    Crash(usize),
    Wait(u64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Answered {
    Yes,
    Later,
    Never,
}

fn step() -> impl Strategy<Value = Step> {
    let answer = prop_oneof![Just(Answered::Yes), Just(Answered::Later), Just(Answered::Never)];
    prop_oneof![
        3 => Just(Step::Push),
        1 => Just(Step::PushAndRollBack),
        4 => (1_usize..5).prop_map(Step::Claim),
        5 => any::<usize>().prop_map(Step::Start),
        5 => (any::<usize>(), answer).prop_map(|(which, answer)| Step::Send(which, answer)),
        5 => any::<usize>().prop_map(Step::Settle),
        1 => any::<usize>().prop_map(Step::Release),
        3 => Just(Step::Reap),
        1 => any::<usize>().prop_map(Step::Crash),
        3 => prop_oneof![Just(1), Just(30), Just(121)].prop_map(Step::Wait),
    ]
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    Pending,
    Processing,
    Delivered,
    Failed,
}

/// What the model knows of an event. Moments are whole seconds of the story's clock, then the number of the step.
#[derive(Debug)]
struct Event {
    /// Known from the first claim on.
    id: Option<EventId>,
    payload: Vec<u8>,
    state: State,
    attempts: i64,
    lease: i64,
    started: bool,
    interrupted: bool,
    due: (u64, usize),
    leased: (u64, usize),
    /// How often it was sent.
    sent: i64,
}

/// A claim that somebody holds, or believes to hold.
struct Held {
    claimed: Claimed,
    begun: bool,
    answer: Option<Answered>,
}

struct World {
    outbox: Outbox,
    events: Vec<Event>,
    held: Vec<Held>,
    now: u64,
    step: usize,
}

impl World {
    async fn new() -> Self {
        let outbox = Outbox::new(Engine::Sqlite).await;
        Self { outbox, events: Vec::new(), held: Vec::new(), now: 0, step: 0 }
    }

    async fn take(&mut self, step: &Step) {
        self.step += 1;
        let which = |which: usize| which.checked_rem(self.held.len());
        match *step {
            Step::Push => self.push().await,
            Step::PushAndRollBack => self.push_and_roll_back().await,
            Step::Claim(limit) => self.claim(limit).await,
            Step::Reap => self.reap().await,
            Step::Wait(time) => self.wait(time),
            Step::Start(index) => {
                if let Some(index) = which(index) {
                    self.start(index).await;
                }
            }
            Step::Send(index, answer) => {
                if let Some(index) = which(index) {
                    self.send(index, answer);
                }
            }
            Step::Settle(index) => {
                if let Some(index) = which(index) {
                    self.settle(index).await;
                }
            }
            Step::Release(index) => {
                if let Some(index) = which(index) {
                    self.release(index).await;
                }
            }
            Step::Crash(index) => {
                if let Some(index) = which(index) {
                    self.held.swap_remove(index);
                }
            }
        }
        self.expect_agreement().await;
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
            sent: 0,
        };
        self.events.push(event);
    }

    async fn push_and_roll_back(&self) {
        let mut tx = self.outbox.store.begin().await.unwrap();
        let user_id = UserId(doorward::random::uuid_v4().unwrap());
        tx.outbox_push(&doorward::domain::events::Event::UserCreated { user_id }).await.unwrap();
        tx.rollback().await.unwrap();
    }

    async fn claim(&mut self, limit: usize) {
        let claimed = claim(&self.outbox.store, limit).await;
        let mut due: Vec<&mut Event> =
            self.events.iter_mut().filter(|event| event.state == State::Pending && event.due.0 <= self.now).collect();
        // Those that the reaper took back together became due together.
        due.sort_by_key(|event| (event.due, event.id));
        due.truncate(limit);
        assert_eq!(claimed.len(), due.len(), "{due:?}");
        for (event, claimed) in due.into_iter().zip(&claimed) {
            if event.id.is_none() {
                event.payload.clone_from(&claimed.payload);
            }
            assert_eq!(*event.id.get_or_insert(claimed.id), claimed.id, "oldest first");
            assert_eq!(event.payload, claimed.payload, "always the same bytes");
            event.lease += 1;
            assert_eq!(
                (claimed.attempts, claimed.interrupted, claimed.lease),
                (event.attempts, event.interrupted, event.lease)
            );
            (event.state, event.started, event.leased) = (State::Processing, false, (self.now, self.step));
        }
        self.held.extend(claimed.into_iter().map(|claimed| Held { claimed, begun: false, answer: None }));
    }

    /// The event of a claim, if the claim still holds.
    fn event(&mut self, lease: Lease) -> Option<&mut Event> {
        let event = self.events.iter_mut().find(|event| event.id == Some(lease.id)).unwrap();
        (event.state == State::Processing && event.lease == lease.number).then_some(event)
    }

    async fn start(&mut self, index: usize) {
        let held = &self.held[index].claimed;
        let (lease, begun) = (held.held(), start(&self.outbox.store, std::slice::from_ref(held)).await);
        let now = (self.now, self.step);
        let mut expected = 0;
        if let Some(event) = self.event(lease).filter(|event| !event.started) {
            (event.started, event.leased) = (true, now);
            event.attempts += 1;
            expected = 1;
            self.held[index].begun = true;
        }
        assert_eq!(begun, expected);
    }

    /// Only what was begun is sent, once; whether the claim still holds, nobody knows then.
    fn send(&mut self, index: usize, answer: Answered) {
        let held = &mut self.held[index];
        if held.begun && held.answer.is_none() {
            held.answer = Some(answer);
            let event = self.events.iter_mut().find(|event| event.id == Some(held.claimed.id)).unwrap();
            event.sent += 1;
            assert_eq!(held.claimed.payload, event.payload);
        }
    }

    async fn settle(&mut self, index: usize) {
        let Some(answer) = self.held[index].answer else { return };
        let held = self.held.swap_remove(index);
        let attempts = held.claimed.attempts + 1;
        let next = match answer {
            Answered::Yes => Next::Delivered,
            Answered::Later if attempts < i64::from(MAX_ATTEMPTS) => {
                let delay = DELAYS[usize::try_from(attempts - 1).unwrap()];
                Next::Retry { after: seconds(delay) }
            }
            Answered::Later | Answered::Never => Next::Failed,
        };
        let mut tx = self.outbox.store.begin().await.unwrap();
        let settled = tx.outbox_settle(&[settlement(&self.outbox.store, &held.claimed, next)]).await.unwrap();
        tx.commit().await.unwrap();
        let (now, step) = (self.now, self.step);
        let mut expected = 0;
        if let Some(event) = self.event(held.claimed.held()) {
            expected = 1;
            event.interrupted = false;
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

    /// Only what was not sent is given back.
    async fn release(&mut self, index: usize) {
        if self.held[index].answer.is_some() {
            return;
        }
        let lease = self.held.swap_remove(index).claimed.held();
        let mut tx = self.outbox.store.begin_single().await.unwrap();
        let released = tx.outbox_release(&[lease]).await.unwrap();
        tx.commit().await.unwrap();
        let mut expected = 0;
        if let Some(event) = self.event(lease) {
            expected = 1;
            event.attempts -= i64::from(event.started);
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
            .filter(|event| event.state == State::Processing && event.leased.0 + STALE.as_secs() <= now);
        let mut expected = HashMap::new();
        for event in stale {
            let failed = event.started && event.attempts >= i64::from(MAX_ATTEMPTS);
            event.state = if failed { State::Failed } else { State::Pending };
            event.interrupted |= event.started;
            if event.started {
                event.due = (now, step);
            }
            expected.insert(event.id.unwrap(), (event.started, event.attempts, failed));
        }
        let reaped: HashMap<_, _> =
            reaped.iter().map(|one| (one.id, (one.started, one.attempts, one.failed))).collect();
        assert_eq!(reaped, expected);
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
            assert!(event.sent <= event.attempts, "what is sent was counted first: {event:?}");
        }
    }

    /// All processes die; then one works without fault. Every event comes to its end.
    async fn finish(mut self) {
        self.held.clear();
        for _ in 0..=MAX_ATTEMPTS {
            for step in [Step::Wait(121), Step::Reap, Step::Claim(64)] {
                self.take(&step).await;
            }
            while !self.held.is_empty() {
                for step in [Step::Start(0), Step::Send(0, Answered::Yes), Step::Settle(0)] {
                    self.take(&step).await;
                }
            }
        }
        assert!(self.events.iter().all(|event| event.state >= State::Delivered), "{:#?}", self.events);
        let attempts = self.outbox.count_where("outbox", &format!("attempts > {MAX_ATTEMPTS}")).await;
        assert_eq!(attempts, 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: scaled(64, 2000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_interleaving_keeps_the_rules(steps in proptest::collection::vec(step(), 1..80)) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
            let mut world = World::new().await;
            for step in &steps {
                world.take(step).await;
            }
            world.finish().await;
        });
    }
}
