//! Races of two writers for one event.

use crate::harness::Engine;
use crate::outbox::fixture::{Outbox, seconds, seed};
use crate::outbox::steps::{LEASE_TTL, claim, reap, settle, start};
use doorward::store::{Next, OUTBOX_BATCH};

both_engines![reaper_and_settler_never_both_win];

/// More than ten thousand races between recording an outcome and reaping the claim.
async fn reaper_and_settler_never_both_win(engine: Engine) {
    const ROUNDS: usize = 160;
    let outbox = Outbox::new(engine).await;
    let (settler, reaper) = (outbox.other_store().await, outbox.other_store().await);
    let (mut settled, mut restored) = (0, 0);
    for round in 0..ROUNDS {
        seed(&outbox.database, OUTBOX_BATCH).await;
        let claimed = claim(&outbox.store, OUTBOX_BATCH).await;
        start(&outbox.store, &claimed).await;
        outbox.clock.advance(LEASE_TTL + seconds(1));
        let (first, second) = claimed.split_at(1 + round % (OUTBOX_BATCH - 1));
        let reaping = async {
            // Varies which of the two is first.
            for _ in 0..round % 7 {
                tokio::task::yield_now().await;
            }
            reap(&reaper, 3).await
        };
        let (one, two, taken_back) = tokio::join!(
            settle(&settler, first, Next::Delivered),
            settle(&outbox.store, second, Next::Delivered),
            reaping
        );
        // The reaper skips locked events and finds them in its next run if they were not settled.
        let missed = reap(&reaper, 3).await;
        assert_eq!(one + two + taken_back.len() + missed.len(), claimed.len(), "each event went one way");
        assert_eq!(settle(&settler, &claimed, Next::Failed).await, 0, "nothing can be changed afterwards");
        settled += one + two;
        restored += taken_back.len() + missed.len();
        expect(&outbox, settled, "delivered").await;
        expect(&outbox, taken_back.len() + missed.len(), "pending").await;
        outbox.database.execute("DELETE FROM outbox WHERE state = 'pending'").await;
    }
    assert_eq!(settled + restored, ROUNDS * OUTBOX_BATCH);
    assert!(settled > 0 && restored > 0, "{settled} to {restored}: there was no race");
}

async fn expect(outbox: &Outbox, count: usize, state: &str) {
    assert_eq!(outbox.count(state).await, i64::try_from(count).unwrap(), "{state}");
}
