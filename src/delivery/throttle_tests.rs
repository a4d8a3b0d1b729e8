use super::Throttle;
use crate::delivery::policy::DeliveryPolicy;
use crate::delivery::testing::webhooks;
use crate::store::OUTBOX_BATCH;
use std::time::Duration;

/// The throttle after many attempts of this duration.
fn settled(variables: &[(&str, &str)], duration: Duration) -> Throttle {
    let throttle = Throttle::new(&DeliveryPolicy::webhooks(&webhooks(variables)));
    (0..200).for_each(|_| throttle.observe(duration));
    throttle
}

#[test]
fn nothing_is_claimed_ahead_before_first_delivery() {
    let throttle = Throttle::new(&DeliveryPolicy::webhooks(&webhooks(&[])));
    assert_eq!((throttle.claim(2), throttle.claim(0), throttle.start_ahead()), (2, 0, 0));
}

#[test]
fn two_batches_are_delivered_in_one_second() {
    let throttle = settled(&[("WEBHOOK_WORKER_COUNT", "2")], Duration::from_millis(50));
    assert_eq!(throttle.claim(0), 20);
    assert_eq!(throttle.start_ahead(), 0, "a slow receiver: an attempt starts when its slot is free");
}

#[test]
fn short_lease_limits_claims() {
    let short = [("WEBHOOK_WORKER_COUNT", "2"), ("WEBHOOK_TIMEOUT", "1s"), ("WEBHOOK_PROCESSING_STALE_AFTER", "2s")];
    assert_eq!(settled(&short, Duration::from_millis(50)).claim(0), 10);
}

#[test]
fn fast_receiver_gets_full_batches() {
    let throttle = settled(&[], Duration::from_micros(60));
    assert_eq!((throttle.claim(0), throttle.start_ahead()), (OUTBOX_BATCH, 2 * OUTBOX_BATCH));
}

#[test]
fn max_wait_leaves_lease_time_for_one_attempt() {
    assert_eq!(Throttle::new(&DeliveryPolicy::webhooks(&webhooks(&[]))).max_wait(), Duration::from_secs(30));
    let tight = [("WEBHOOK_TIMEOUT", "5s"), ("WEBHOOK_PROCESSING_STALE_AFTER", "6s")];
    assert_eq!(Throttle::new(&DeliveryPolicy::webhooks(&webhooks(&tight))).max_wait(), Duration::from_millis(500));
}
