#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use std::thread;

#[test]
fn threads_count_together() {
    let metrics = HttpMetrics::new(&Registry::new()).unwrap();
    let end = |status| metrics.end("/auth/login", HttpMethod::Post, status, Duration::from_millis(1));
    (0..10).for_each(|_| metrics.begin());
    for status in [StatusClass::Redirect, StatusClass::Gone] {
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| (0..2).for_each(|_| end(status)));
            }
        });
    }
    assert_eq!(metrics.in_flight.get(), 2);
    let count = |status| metrics.requests.with_label_values(&["/auth/login", "POST", status]).get();
    assert_eq!([count("3xx"), count("gone"), count("2xx")], [4, 4, 0]);
    let durations = metrics.durations.with_label_values(&["/auth/login", "POST"]);
    assert_eq!(durations.get_sample_count(), 8);
    assert!((durations.get_sample_sum() - 0.008).abs() < 1e-9);
}
