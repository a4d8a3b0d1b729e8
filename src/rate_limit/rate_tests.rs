use super::*;
use uuid::Uuid;

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
fn overdrawn_bucket_refills_later() {
    let bucket = (0..12).fold(LimitRow::fresh(Uuid::nil()), |bucket, _| RATE.overdraw(bucket, START));
    assert_eq!(RATE.take(bucket, START), Err(Duration::from_secs(45)));
}
