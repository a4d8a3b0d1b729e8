//! Model-based test of the outbox: random steps of several processes and an operator, with crashes and stops. The
//! database agrees with a small model after each step, and every event ends delivered or failed.

mod world;

use crate::harness::{Engine, scaled};
use crate::outbox::fixture::Outbox;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use tokio::runtime::Handle;
use tokio::task::block_in_place;
use world::World;

both_engines![every_interleaving_matches_model];

/// One step. A number selects one of the held claims, or one of the events.
#[derive(Clone, Debug)]
enum Step {
    Push,
    PushAndRollBack,
    Claim(usize),
    Start(usize),
    /// Sends the event and gets a response.
    Send(usize, Response),
    Settle(usize),
    Release(usize),
    Reap,
    /// Drops a claim, as a process that dies.
    Crash(usize),
    /// Stops the process that holds a claim, like SIGSTOP.
    Stop(usize),
    /// Resumes a stopped process, whose next steps come late.
    Continue(usize),
    Replay(usize),
    ReplayFailed,
    /// Removes events that finished a minute ago.
    Clean,
    Wait(u64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Response {
    Success,
    Retry,
    Reject,
}

fn step() -> impl Strategy<Value = Step> {
    let response = prop_oneof![Just(Response::Success), Just(Response::Retry), Just(Response::Reject)];
    prop_oneof![
        4 => Just(Step::Push),
        1 => Just(Step::PushAndRollBack),
        5 => (1_usize..5).prop_map(Step::Claim),
        6 => any::<usize>().prop_map(Step::Start),
        6 => (any::<usize>(), response).prop_map(|(which, response)| Step::Send(which, response)),
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

async fn every_interleaving_matches_model(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    // Only PostgreSQL needs a round trip for each statement.
    let cases = if engine == Engine::Sqlite { scaled(64, 2000) } else { scaled(32, 1000) };
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let result = block_in_place(|| {
        TestRunner::new(config).run(&proptest::collection::vec(step(), 1..100), |steps| {
            Handle::current().block_on(run_case(&outbox, &steps));
            Ok(())
        })
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

async fn run_case(outbox: &Outbox, steps: &[Step]) {
    // The previous case may have failed in the middle.
    outbox.database.execute("DELETE FROM outbox").await;
    let mut world = World::new(outbox);
    for step in steps {
        world.apply(step).await;
    }
    world.finish().await;
}
