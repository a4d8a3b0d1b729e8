use super::*;

const START: Time = Time::from_micros(1_800_000_000_000_000);
const RATE: Rate = Rate { burst: 10, refill: Duration::from_secs(15) };

#[test]
fn a_bucket_empties_says_when_and_fills_with_time() {
    let mut bucket = LimitRow::fresh(Uuid::nil());
    for _ in 0..10 {
        bucket = RATE.take(bucket, START).unwrap_or(bucket);
    }
    assert_eq!(RATE.take(bucket, START), Err(Duration::from_secs(15)));
    assert!(RATE.take(RATE.give_back(bucket), START).is_ok());
    assert!(RATE.take(bucket, START + Duration::from_secs(15)).is_ok());
    assert!(RATE.take(bucket, START + Duration::from_secs(14)).is_err());
    assert_eq!(bucket.expires_at, START + Duration::from_secs(150), "then it is as full as one that is not there");
}

#[test]
fn neighbours_in_one_ipv6_network_are_one() {
    let network_of = |text: &str| text.parse().map(network).ok();
    assert_eq!(network_of("2001:db8::1"), network_of("2001:db8::2"));
    assert_ne!(network_of("2001:db8::1"), network_of("2001:db8:0:1::1"));
    assert_ne!(network_of("192.0.2.1"), network_of("192.0.2.2"));
}
