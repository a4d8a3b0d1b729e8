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
fn table_aligns_columns_under_their_names() {
    let rows = [["a", "bb", "c"], ["äää", "b", ""]].map(|row| row.map(str::to_owned));
    assert_eq!(table(["x", "name", "y"], rows), "X    NAME  Y\na    bb    c\näää  b");
    assert_eq!(table(["x"], []), "X");
}

#[test]
fn fields_are_aligned() {
    let value = str::to_owned;
    assert_eq!(fields(&[("Id", value("1")), ("Two-factor", value("off"))]), "Id          1\nTwo-factor  off");
}

#[test]
fn cells_and_fields_stay_on_their_line() {
    let nasty = "a\nb\u{1b}[2J\u{61c}".to_owned();
    assert_eq!(table(["x"], [[nasty.clone()]]), "X\na\\nb\\u{1b}[2J\\u{61c}");
    assert_eq!(fields(&[("Name", nasty)]), "Name  a\\nb\\u{1b}[2J\\u{61c}");
}
