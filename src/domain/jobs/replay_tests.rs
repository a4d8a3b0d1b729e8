#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

#[test]
fn filter_is_read_as_it_was_written() {
    let time = Time::parse("2026-07-01T00:00:00Z");
    for filter in [
        ReplayFilter::default(),
        ReplayFilter { kind: EventKind::ALL.first().copied(), since: time, ..ReplayFilter::default() },
        ReplayFilter { until: time, ..ReplayFilter::default() },
        ReplayFilter { waiting: true, ..ReplayFilter::default() },
    ] {
        assert_eq!(ReplayFilter::parse(&filter.to_json()), Some(filter));
    }
}

#[test]
fn filter_of_a_newer_version_is_none_of_ours() {
    for json in [r#"{"kind":"user.vanished"}"#, r#"{"since":5}"#, r#"{"channel":"mail"}"#, r#"{"waiting":"yes"}"#] {
        assert_eq!(ReplayFilter::parse(&serde_json::from_str(json).unwrap()), None, "{json}");
    }
}
