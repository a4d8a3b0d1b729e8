#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

fn sample(duration_us: i64, outcome: &str) -> AttemptSample {
    AttemptSample { duration_us, outcome: outcome.to_owned() }
}

#[test]
fn percentiles_exclude_unsent_attempts() {
    let mut samples: Vec<_> = (1..=100).rev().map(|micros| sample(micros, "delivered")).collect();
    samples.push(sample(1_000_000, "interrupted"));
    samples.push(sample(0, "disabled"));
    let stats = AttemptStats::of(&samples);
    assert_eq!(stats.percentiles.unwrap(), [50, 95, 99].map(Duration::from_micros));
    assert_eq!((stats.timed, stats.outcomes["delivered"], stats.outcomes["disabled"]), (100, 100, 1));
    assert_eq!(AttemptStats::of(&samples[..1]).percentiles.unwrap(), [Duration::from_micros(100); 3]);
    assert!(AttemptStats::of(&samples[100..]).percentiles.is_none());
}

#[test]
fn rate_has_two_decimals() {
    assert_eq!([rate(0, 60), rate(1, 60), rate(90, 60)], ["0.00", "0.01", "1.50"]);
}
