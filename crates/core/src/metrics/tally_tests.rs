use super::*;
use std::thread;

#[test]
fn threads_count_together() {
    let tally = Tally::default();
    for _ in 0..2 {
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..1000).for_each(|_| tally.count()));
            }
        });
    }
    assert_eq!(tally.total(), 16_000);
}
