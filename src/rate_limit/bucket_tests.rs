use super::*;

const START: Time = Time::from_micros(1_800_000_000_000_000);
const RATE: Rate = Rate { burst: 10, refill_interval: Duration::from_secs(15) };

#[test]
fn bucket_empties_and_refills_with_time() {
    let mut bucket = LimitRow::fresh(Uuid::nil());
    for _ in 0..10 {
        bucket = RATE.take(bucket, START).unwrap_or(bucket);
    }
    assert_eq!(RATE.take(bucket, START), Err(Duration::from_secs(15)));
    assert!(RATE.take(RATE.give_back(bucket), START).is_ok());
    assert!(RATE.take(bucket, START + Duration::from_secs(15)).is_ok());
    assert!(RATE.take(bucket, START + Duration::from_secs(14)).is_err());
    assert_eq!(bucket.expires_at, START + Duration::from_secs(150), "then it is equivalent to a missing one");
}

#[test]
fn ipv6_addresses_of_one_64_network_share_a_bucket() {
    let network_of = |text: &str| text.parse().map(network).ok();
    assert_eq!(network_of("2001:db8::1"), network_of("2001:db8::2"));
    assert_ne!(network_of("2001:db8::1"), network_of("2001:db8:0:1::1"));
    assert_ne!(network_of("192.0.2.1"), network_of("192.0.2.2"));
}
