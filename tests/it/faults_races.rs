//! Two who want to change one event at the same moment.

use crate::harness::Engine;
use crate::outbox::fixture::{Outbox, seconds, seed};
use crate::outbox::steps::{STALE, claim, reap, settle, start};
use doorward::store::{Next, OUTBOX_BATCH};

both![the_reaper_and_the_settler_never_both_win];

/// More than ten thousand races: in each, an outcome is written while the reaper takes the claim back.
async fn the_reaper_and_the_settler_never_both_win(engine: Engine) {
    const ROUNDS: usize = 160;
    let outbox = Outbox::new(engine).await;
    let (settler, reaper) = (outbox.other_store().await, outbox.other_store().await);
    let (mut settled, mut restored) = (0, 0);
    for round in 0..ROUNDS {
        seed(&outbox.database, OUTBOX_BATCH).await;
        let claimed = claim(&outbox.store, OUTBOX_BATCH).await;
        start(&outbox.store, &claimed).await;
        outbox.clock.advance(STALE + seconds(1));
        let (first, second) = claimed.split_at(1 + round % (OUTBOX_BATCH - 1));
        let taken_back = async {
            // So that now the one is first, now the other.
            for _ in 0..round % 7 {
                tokio::task::yield_now().await;
            }
            reap(&reaper, 3).await
        };
        let (one, two, taken) = tokio::join!(
            settle(&settler, first, Next::Delivered),
            settle(&outbox.store, second, Next::Delivered),
            taken_back
        );
        // The reaper passes over what is just being settled, and finds it next time if it was not.
        let missed = reap(&reaper, 3).await;
        assert_eq!(one + two + taken.len() + missed.len(), claimed.len(), "each event went one way");
        assert_eq!(settle(&settler, &claimed, Next::Failed).await, 0, "nothing can be changed afterwards");
        settled += one + two;
        restored += taken.len() + missed.len();
        expect(&outbox, settled, "delivered").await;
        expect(&outbox, taken.len() + missed.len(), "pending").await;
        outbox.database.execute("DELETE FROM outbox WHERE state = 'pending'").await;
    }
    assert_eq!(settled + restored, ROUNDS * OUTBOX_BATCH);
    assert!(settled > 0 && restored > 0, "{settled} to {restored}: nobody raced");
}

async fn expect(outbox: &Outbox, count: usize, state: &str) {
    assert_eq!(outbox.count(state).await, i64::try_from(count).unwrap(), "{state}");
}
