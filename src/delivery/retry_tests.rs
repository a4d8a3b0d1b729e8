use super::{next, requested_delay};
use crate::delivery::classify::RequestOutcome;
use crate::delivery::testing::webhooks;
use crate::model::time::Time;
use crate::outbound::Unanswered;
use crate::store::Next;
use std::time::Duration;

const NOW: Time = Time::from_micros(1_700_000_000_000_000);

fn answered(status: u16) -> RequestOutcome {
    RequestOutcome::Answered { status, retry_after: None, body: Vec::new() }
}

fn answered_with_retry_after(status: u16, retry_after: &str) -> RequestOutcome {
    RequestOutcome::Answered { status, retry_after: Some(retry_after.to_owned()), body: Vec::new() }
}

fn after(seconds: u64) -> Next {
    Next::Retry { after: Duration::from_secs(seconds) }
}

#[test]
fn status_2xx_delivers_also_on_last_attempt() {
    for status in 200..300 {
        assert_eq!(next(&answered(status), 3, &webhooks(&[]), NOW), Next::Delivered, "{status}");
    }
}

#[test]
fn other_status_fails_at_once_except_429_and_5xx() {
    for status in (100..200).chain(300..1000) {
        let expected = if status == 429 || (500..600).contains(&status) { after(30) } else { Next::Failed };
        assert_eq!(next(&answered(status), 1, &webhooks(&[]), NOW), expected, "{status}");
    }
}

#[test]
fn every_failure_before_response_is_retried() {
    let kinds = [Unanswered::Name, Unanswered::Connect, Unanswered::Tls, Unanswered::Timeout, Unanswered::Closed];
    let unanswered = kinds.map(|kind| RequestOutcome::from(kind(String::new())));
    for outcome in unanswered.iter().chain([&RequestOutcome::internal("")]) {
        assert_eq!(next(outcome, 1, &webhooks(&[]), NOW), after(30), "{outcome:?}");
    }
}

#[test]
fn last_delay_repeats_until_attempts_are_used_up() {
    let settings = webhooks(&[("WEBHOOK_MAX_DELIVERY_ATTEMPTS", "5"), ("WEBHOOK_RETRY_DELAYS", "1s,2s,7s")]);
    let all: Vec<Next> = (1..=5).map(|attempts| next(&answered(500), attempts, &settings, NOW)).collect();
    assert_eq!(all, [after(1), after(2), after(7), after(7), Next::Failed]);
}

#[test]
fn default_delays_are_thirty_seconds_and_two_minutes() {
    let all: Vec<Next> = (1..=3).map(|attempts| next(&answered(503), attempts, &webhooks(&[]), NOW)).collect();
    assert_eq!(all, [after(30), after(120), Next::Failed]);
}

#[test]
fn retry_after_only_lengthens_delay() {
    let settings = webhooks(&[]);
    let table = [("0", 30), ("29", 30), ("31", 31), ("1000000000", 3600), ("junk", 30), ("-5", 30)];
    for (value, seconds) in table {
        assert_eq!(next(&answered_with_retry_after(429, value), 1, &settings, NOW), after(seconds), "{value}");
        assert_eq!(next(&answered_with_retry_after(503, value), 1, &settings, NOW), after(seconds), "{value}");
        assert_eq!(
            next(&answered_with_retry_after(500, value), 1, &settings, NOW),
            after(30),
            "only 429 and 503 are asked"
        );
    }
    assert_eq!(next(&answered_with_retry_after(429, "60"), 3, &settings, NOW), Next::Failed, "no attempts are left");
}

/// 1994-11-06 08:49:37 UTC, the example of RFC 9110, 5.6.7.
const EXAMPLE: Time = Time::from_micros(784_111_777_000_000);

#[test]
fn seconds_are_accepted_and_capped_at_one_hour() {
    for (value, seconds) in [("0", 0), ("1", 1), (" 120 ", 120), ("3600", 3600), ("3601", 3600)] {
        assert_eq!(requested_delay(value, EXAMPLE), Duration::from_secs(seconds), "{value}");
    }
    assert_eq!(requested_delay(&"9".repeat(40), EXAMPLE), Duration::from_hours(1));
}

#[test]
fn three_date_formats_are_accepted() {
    let earlier = EXAMPLE - Duration::from_secs(90);
    for value in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
        assert_eq!(requested_delay(value, earlier), Duration::from_secs(90), "{value}");
        assert_eq!(requested_delay(value, EXAMPLE + Duration::from_secs(1)), Duration::ZERO, "{value} is past");
        assert_eq!(
            requested_delay(value, earlier - Duration::from_hours(5)),
            Duration::from_hours(1),
            "{value} is far"
        );
    }
}

#[test]
fn invalid_retry_after_is_ignored() {
    for value in ["", " ", "-1", "1.5", "soon", "1 2", "0x10", "Sun, 99 Nov 1994 08:49:37 GMT", "١٢", "+5"] {
        assert_eq!(requested_delay(value, EXAMPLE), Duration::ZERO, "{value}");
    }
}
