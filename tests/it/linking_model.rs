//! Orders of what a stranger and the owner of an address can do, generated: no account ever changes hands unless both
//! sides have shown that it is theirs. Of a login with a provider, a worthy address is the owner's alone; a claimed one, anyone's.
//!
//! `DOORWARD_TEST_ORDERS` sets how many orders are tried, `DOORWARD_TEST_SEED` the first seed.

mod deeds;
mod people;

use crate::harness::{Engine, TestApp};
use deeds::Orders;
use people::{Pair, Stage};
use std::sync::Arc;

both_engines![no_order_gives_an_account_to_a_stranger];

/// Orders of one service: its tables stay small.
const OF_ONE_STAGE: u64 = 100;
const AT_ONCE: u64 = 4;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().map_or(default, |text| text.parse().expect("a number"))
}

async fn no_order_gives_an_account_to_a_stranger(engine: Engine) {
    let (orders, seed) = (number("DOORWARD_TEST_ORDERS", OF_ONE_STAGE * 2), number("DOORWARD_TEST_SEED", 1));
    let mut claims = 0;
    for first in (seed..seed + orders).step_by(usize::try_from(OF_ONE_STAGE).unwrap()) {
        let is_required = ((first - seed) / OF_ONE_STAGE) % 4 == 1;
        let verification = if is_required { "required" } else { "optional" };
        let app = engine
            .prepare()
            .await
            .set("SVC_RATE_LIMIT", "off")
            .set("SVC_EMAIL_VERIFICATION", verification)
            .start()
            .await;
        let stage = Arc::new(Stage::new(app, first..first + OF_ONE_STAGE).await);
        let mut seeds = first..(first + OF_ONE_STAGE).min(seed + orders);
        loop {
            let batch: Vec<_> = seeds.by_ref().take(usize::try_from(AT_ONCE).unwrap()).collect();
            if batch.is_empty() {
                break;
            }
            let tasks = batch.into_iter().map(|seed| tokio::spawn(play(stage.clone(), seed)));
            let tasks: Vec<_> = tasks.collect();
            for task in tasks {
                let (order, faults, claimed) = task.await.unwrap();
                assert!(faults.is_empty(), "seed {}, {verification}: {order:?}: {faults:?}", order.seed);
                claims += usize::from(claimed);
            }
        }
    }
    // Otherwise the orders would say nothing.
    assert!(
        claims > usize::try_from(orders).unwrap() / 50,
        "{claims} of {orders} orders from seed {seed} let the owner claim what a stranger had made"
    );
}

/// Plays an order; returns what is wrong with its end, and whether the owner claimed an account that the stranger had.
async fn play(stage: Arc<Stage>, seed: u64) -> (Orders, Vec<String>, bool) {
    let order = Orders::of(seed);
    let pair = Pair::new(&stage, seed);
    for step in &order.steps {
        match step[..] {
            [one, other] => drop(tokio::join!(pair.does(one), pair.does(other))),
            _ => pair.does(step[0]).await,
        }
        pair.note().await;
    }
    let (faults, claimed) = faults(&stage.app, &pair).await;
    (order, faults, claimed)
}

/// The end of an order must be such that nobody shares an account, and that each account is with whom it may be.
async fn faults(app: &TestApp, pair: &Pair) -> (Vec<String>, bool) {
    let (strangers, owners) = (pair.stranger_ways().await, pair.owner_ways().await);
    let said_mine = pair.said_mine();
    let had = pair.had();
    let mut faults = Vec::new();
    for shared in strangers.intersection(&owners) {
        faults.push(format!("both have a way into {shared}"));
    }
    for taken in owners.intersection(&had.stranger).filter(|name| !said_mine.contains(*name)) {
        faults.push(format!("the owner got {taken} without having said that it is theirs"));
    }
    for stolen in strangers.intersection(&had.owner) {
        faults.push(format!("the stranger got {stolen}"));
    }
    for verified in strangers.intersection(&pair.verified(app).await) {
        faults.push(format!("the stranger has a way into {verified}, which verified the owner's address"));
    }
    let claimed = owners.iter().any(|name| had.stranger.contains(name));
    (faults, claimed)
}
