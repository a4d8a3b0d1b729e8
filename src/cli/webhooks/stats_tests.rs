use super::*;

fn sample(duration_us: i64, outcome: &str) -> AttemptSample {
    AttemptSample { duration_us, outcome: outcome.to_owned() }
}

#[test]
fn percentiles_exclude_unsent_attempts() {
    let mut samples: Vec<_> = (1..=100).rev().map(|micros| sample(micros, "delivered")).collect();
    samples.push(sample(1_000_000, "interrupted"));
    samples.push(sample(0, "disabled"));
    let durations = |percentiles: [Option<u64>; 3], sampled_attempts| {
        let [p50, p95, p99] = percentiles.map(|micros| micros.map(|micros| Millis(Duration::from_micros(micros))));
        AttemptDurations { p50, p95, p99, sampled_attempts }
    };
    assert_eq!(AttemptDurations::of(&samples), durations([50, 95, 99].map(Some), 100));
    assert_eq!(AttemptDurations::of(&samples[..1]), durations([Some(100); 3], 1));
    assert_eq!(AttemptDurations::of(&samples[100..]), durations([None; 3], 0));
}

#[test]
fn rate_has_two_decimals() {
    assert_eq!([rate(0, 60), rate(1, 60), rate(90, 60)], ["0.00", "0.01", "1.50"]);
}
