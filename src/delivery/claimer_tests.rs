use super::*;

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[test]
fn a_single_event_never_waits() {
    let mut gap = Gap(FIRST_GAP);
    for _ in 0..10 {
        assert_eq!(gap.left(ms(25)), ms(0));
    }
}

#[test]
fn claims_are_further_apart_the_longer_events_keep_coming() {
    let mut gap = Gap(FIRST_GAP);
    let waits: Vec<_> = (0..5).map(|_| gap.left(ms(5))).collect();
    assert_eq!(waits, [ms(15), ms(35), ms(75), ms(95), ms(95)]);
    assert_eq!(gap.left(ms(150)), ms(0), "after a quiet moment");
    assert_eq!(gap.left(ms(5)), ms(15), "it begins anew");
}
