use super::Pace;
use crate::delivery::policy::Policy;
use crate::delivery::testing::webhooks;
use crate::store::OUTBOX_BATCH;
use std::time::Duration;

/// The pace after many deliveries of this duration.
fn settled(variables: &[(&str, &str)], took: Duration) -> Pace {
    let pace = Pace::new(&Policy::webhooks(&webhooks(variables)));
    (0..200).for_each(|_| pace.observe(took));
    pace
}

#[test]
fn nothing_is_taken_ahead_before_the_first_delivery() {
    let pace = Pace::new(&Policy::webhooks(&webhooks(&[])));
    assert_eq!((pace.claim(2), pace.claim(0), pace.start_ahead()), (2, 0, 0));
}

#[test]
fn two_batches_are_what_a_second_delivers() {
    let pace = settled(&[("WEBHOOK_WORKER_COUNT", "2")], Duration::from_millis(50));
    assert_eq!(pace.claim(0), 20);
    assert_eq!(pace.start_ahead(), 0, "a slow receiver: an attempt begins when its slot is free");
}

#[test]
fn a_short_lease_allows_less() {
    let short = [("WEBHOOK_WORKER_COUNT", "2"), ("WEBHOOK_TIMEOUT", "1s"), ("WEBHOOK_PROCESSING_STALE_AFTER", "2s")];
    assert_eq!(settled(&short, Duration::from_millis(50)).claim(0), 10);
}

#[test]
fn a_fast_receiver_allows_full_batches() {
    let pace = settled(&[], Duration::from_micros(60));
    assert_eq!((pace.claim(0), pace.start_ahead()), (OUTBOX_BATCH, 2 * OUTBOX_BATCH));
}

#[test]
fn a_claim_never_waits_so_long_that_its_lease_could_end_under_way() {
    assert_eq!(Pace::new(&Policy::webhooks(&webhooks(&[]))).patience(), Duration::from_secs(30));
    let tight = [("WEBHOOK_TIMEOUT", "5s"), ("WEBHOOK_PROCESSING_STALE_AFTER", "6s")];
    assert_eq!(Pace::new(&Policy::webhooks(&webhooks(&tight))).patience(), Duration::from_millis(500));
}
