use super::*;

#[test]
fn cache_is_stale_before_first_poll_and_after_invalidation() {
    let staleness = Staleness::new(StalenessBounds::POSTGRES);
    assert_eq!(staleness.state(), CacheState::Stale);
    staleness.finish_poll(&staleness.start_poll());
    assert_eq!(staleness.state(), CacheState::Fresh);
    staleness.invalidate();
    assert_eq!(staleness.state(), CacheState::Stale);
    staleness.finish_poll(&staleness.start_poll());
    assert_eq!(staleness.state(), CacheState::Fresh);
}

#[test]
fn poll_started_before_invalidation_does_not_satisfy_it() {
    let staleness = Staleness::new(StalenessBounds::POSTGRES);
    let poll = staleness.start_poll();
    staleness.invalidate();
    staleness.finish_poll(&poll);
    assert_eq!(staleness.state(), CacheState::Stale);
}

#[test]
fn poll_age_counts_from_its_start() {
    let staleness = Staleness::new(StalenessBounds::POSTGRES);
    let millis = |millis: u64| 1000 * millis;
    let poll = staleness.start_poll_at(millis(1000));
    staleness.finish_poll(&poll);
    for (at, state) in [
        (1099, CacheState::Fresh),
        (1100, CacheState::RefreshDue),
        (1499, CacheState::RefreshDue),
        (1500, CacheState::Stale),
    ] {
        assert_eq!(staleness.state_at(millis(at)), state, "{at}");
    }
    // An older poll that ends late does not make a newer one older.
    staleness.finish_poll(&staleness.start_poll_at(millis(2000)));
    staleness.finish_poll(&poll);
    assert_eq!(staleness.state_at(millis(2099)), CacheState::Fresh);
}
