#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::{RETRY_DELAYS, next};
use crate::delivery::policy::DeliveryPolicy;
use crate::mail::{Reply, SmtpFailure, SmtpOutcome, Stage};
use crate::model::time::Time;
use crate::store::Next;
use std::time::Duration;

const NOW: Time = Time::from_micros(1_700_000_000_000_000);

fn reply(code: u16) -> Reply {
    Reply { code, text: "no".to_owned() }
}

fn next_before_expiry(outcome: &SmtpOutcome, attempts: i64) -> Next {
    next(outcome, attempts, NOW, NOW + Duration::from_hours(7 * 24))
}

#[test]
fn only_permanent_reply_to_email_itself_is_final() {
    let first = Next::Retry { after: RETRY_DELAYS[0] };
    for stage in [Stage::Session, Stage::Auth, Stage::Sender, Stage::Mail] {
        assert_eq!(next_before_expiry(&SmtpOutcome::Refused(stage, reply(451)), 1), first, "{stage:?}");
        let expected = if stage == Stage::Mail { Next::Failed } else { first };
        assert_eq!(next_before_expiry(&SmtpOutcome::Refused(stage, reply(550)), 1), expected, "{stage:?}");
    }
    for failure in [
        SmtpFailure::Name,
        SmtpFailure::Tls,
        SmtpFailure::StartTls,
        SmtpFailure::Timeout,
        SmtpFailure::Closed,
        SmtpFailure::LostAfterData,
    ] {
        assert_eq!(next_before_expiry(&SmtpOutcome::Unanswered(failure, String::new()), 1), first, "{failure:?}");
    }
    assert_eq!(next_before_expiry(&SmtpOutcome::Unsendable(String::new()), 1), Next::Failed);
    assert_eq!(next_before_expiry(&SmtpOutcome::Expired, 1), Next::Failed);
    assert_eq!(next_before_expiry(&SmtpOutcome::Delivered(reply(250)), 13), Next::Delivered);
}

#[test]
fn retry_delays_grow_over_about_a_day() {
    assert!(RETRY_DELAYS.is_sorted());
    let all: Duration = RETRY_DELAYS.iter().sum();
    assert!((Duration::from_hours(20)..Duration::from_hours(28)).contains(&all), "{all:?}");
    assert_eq!(next_before_expiry(&SmtpOutcome::Refused(Stage::Mail, reply(451)), 13), Next::Failed);
}

#[test]
fn email_that_expires_soon_is_retried_before() {
    let deferred = SmtpOutcome::Refused(Stage::Mail, reply(451));
    let in_minutes = |minutes| NOW + Duration::from_mins(minutes);
    assert_eq!(next(&deferred, 4, NOW, in_minutes(18)), Next::Retry { after: Duration::from_mins(9) });
    assert_eq!(next(&deferred, 4, NOW, in_minutes(0)), Next::Retry { after: RETRY_DELAYS[0] });
}

#[test]
fn attempt_ends_before_its_lease_expires() {
    let environment =
        [("SVC_SMTP_URL", "smtp://mail.example"), ("SVC_MAIL_FROM", "a@b.example"), ("SVC_DATABASE_URL", "sqlite:x")];
    let settings = super::super::testing::settings(&environment);
    let policy = DeliveryPolicy::mail(settings.mail.smtp.as_ref().unwrap());
    assert!(policy.timeout < policy.stale_after);
}
