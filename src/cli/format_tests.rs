use super::*;

#[test]
fn duration_uses_unit_of_magnitude() {
    let micros = |micros| duration(Duration::from_micros(micros));
    assert_eq!(
        [micros(740), micros(12_999), micros(1_259_000), micros(190_000_000), micros(18_451_000_000)],
        ["740 us", "12 ms", "1.25 s", "3m10s", "5h7m"]
    );
}

#[test]
fn relative_time_is_past_or_future() {
    let now = Time::from_micros(1_000_000_000);
    assert_eq!(relative_time(now + Duration::from_secs(42), now), "in 42s");
    assert_eq!(relative_time(now - Duration::from_millis(400), now), "0s ago");
}

#[test]
fn table_aligns_columns() {
    let rows = [vec!["a".to_owned(), "bb".to_owned(), "c".to_owned()], vec!["äää".to_owned(), "b".to_owned()]];
    assert_eq!(table(&rows), "a    bb  c\näää  b");
    assert_eq!(table(&[]), "");
}

#[test]
fn count_of_one_is_singular() {
    assert_eq!((count(1_u64, "event"), count(0_u64, "event")), ("1 event".to_owned(), "0 events".to_owned()));
}
