use super::*;

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[test]
fn single_event_is_claimed_at_once() {
    let mut interval = ClaimInterval(MIN_CLAIM_INTERVAL);
    for _ in 0..10 {
        assert_eq!(interval.remaining(ms(25)), ms(0));
    }
}

#[test]
fn claim_interval_doubles_while_events_keep_coming() {
    let mut interval = ClaimInterval(MIN_CLAIM_INTERVAL);
    let waits: Vec<_> = (0..5).map(|_| interval.remaining(ms(5))).collect();
    assert_eq!(waits, [ms(15), ms(35), ms(75), ms(95), ms(95)]);
    assert_eq!(interval.remaining(ms(150)), ms(0), "after an idle time");
    assert_eq!(interval.remaining(ms(5)), ms(15), "it starts over");
}
