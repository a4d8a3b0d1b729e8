use super::*;

#[test]
fn duration_counts_in_its_bucket_and_all_later_ones() {
    let histogram = Histogram::default();
    for micros in [1, 500, 501, 10_000_000, 10_000_001] {
        histogram.observe(Duration::from_micros(micros));
    }
    let counts: Vec<u64> = histogram.cumulative().map(|(_, count)| count).collect();
    assert_eq!((counts[0], counts[1], counts[BOUNDS_US.len() - 2], counts[BOUNDS_US.len() - 1]), (2, 3, 3, 4));
    assert_eq!(histogram.count(), 5);
    assert_eq!(histogram.sum(), Duration::from_micros(20_001_003));
}

#[test]
fn bucket_bounds_are_sorted() {
    assert!(BOUNDS_US.is_sorted());
}
