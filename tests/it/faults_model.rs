//! Any order of steps, of any number of processes and an operator, some of which are dead or stopped without knowing
//! it: the database does what a small model of the states says, and every event ends delivered or failed.

mod world;

use crate::harness::{Engine, scaled};
use crate::outbox::fixture::Outbox;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use tokio::runtime::Handle;
use tokio::task::block_in_place;
use world::World;

both![every_interleaving_keeps_the_rules];

/// One step. A number says which of the claims that somebody holds, or which of the events, it is about.
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
    /// Stops the process that holds a claim, as SIGSTOP does.
    Stop(usize),
    /// Lets a stopped process go on: what it does next, it does late.
    Continue(usize),
    /// The operator sends an event again.
    Replay(usize),
    /// The operator sends again whatever failed.
    ReplayFailed,
    /// Removes what ended a minute ago.
    Clean,
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
        4 => Just(Step::Push),
        1 => Just(Step::PushAndRollBack),
        5 => (1_usize..5).prop_map(Step::Claim),
        6 => any::<usize>().prop_map(Step::Start),
        6 => (any::<usize>(), answer).prop_map(|(which, answer)| Step::Send(which, answer)),
        6 => any::<usize>().prop_map(Step::Settle),
        1 => any::<usize>().prop_map(Step::Release),
        3 => Just(Step::Reap),
        1 => any::<usize>().prop_map(Step::Crash),
        2 => any::<usize>().prop_map(Step::Stop),
        2 => any::<usize>().prop_map(Step::Continue),
        2 => any::<usize>().prop_map(Step::Replay),
        1 => Just(Step::ReplayFailed),
        1 => Just(Step::Clean),
        3 => prop_oneof![Just(1), Just(30), Just(121)].prop_map(Step::Wait),
    ]
}

async fn every_interleaving_keeps_the_rules(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    // A statement costs a round trip on the one, on the other hardly anything.
    let cases = if engine == Engine::Sqlite { scaled(64, 2000) } else { scaled(32, 1000) };
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let told = block_in_place(|| {
        TestRunner::new(config).run(&proptest::collection::vec(step(), 1..100), |steps| {
            Handle::current().block_on(tell(&outbox, &steps));
            Ok(())
        })
    });
    told.unwrap_or_else(|error| panic!("{error}"));
}

async fn tell(outbox: &Outbox, steps: &[Step]) {
    // The case before may have ended amid its steps.
    outbox.database.execute("DELETE FROM outbox").await;
    let mut world = World::new(outbox);
    for step in steps {
        world.take(step).await;
    }
    world.finish().await;
}
