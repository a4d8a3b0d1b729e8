#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

fn sample(duration_us: i64, outcome: &str) -> AttemptSample {
    AttemptSample { duration_us, outcome: outcome.to_owned() }
}

#[test]
fn percentiles_are_of_what_was_sent() {
    let mut samples: Vec<_> = (1..=100).rev().map(|micros| sample(micros, "delivered")).collect();
    samples.push(sample(1_000_000, "interrupted"));
    samples.push(sample(0, "disabled"));
    let times = Times::of(&samples);
    assert_eq!(times.percentiles.unwrap(), [50, 95, 99].map(Duration::from_micros));
    assert_eq!((times.attempts, times.outcomes["delivered"], times.outcomes["disabled"]), (100, 100, 1));
    assert_eq!(Times::of(&samples[..1]).percentiles.unwrap(), [Duration::from_micros(100); 3]);
    assert!(Times::of(&samples[100..]).percentiles.is_none());
}

#[test]
fn rates_have_two_digits() {
    assert_eq!([rate(0, 60), rate(1, 60), rate(90, 60)], ["0.00", "0.01", "1.50"]);
}
