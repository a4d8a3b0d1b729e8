#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::{DELAYS, next};
use crate::delivery::policy::Policy;
use crate::mail::{Fault, Outcome, Reply, Stage};
use crate::model::time::Time;
use crate::store::Next;
use std::time::Duration;

const NOW: Time = Time::from_micros(1_700_000_000_000_000);

fn reply(code: u16) -> Reply {
    Reply { code, text: "no".to_owned() }
}

fn in_days(outcome: &Outcome, attempts: i64) -> Next {
    next(outcome, attempts, NOW, NOW + Duration::from_hours(7 * 24))
}

#[test]
fn only_what_a_server_says_to_the_mail_itself_is_final() {
    let first = Next::Retry { after: DELAYS[0] };
    for stage in [Stage::Session, Stage::LogIn, Stage::Sender, Stage::Mail] {
        assert_eq!(in_days(&Outcome::Refused(stage, reply(451)), 1), first, "{stage:?}");
        let expected = if stage == Stage::Mail { Next::Failed } else { first };
        assert_eq!(in_days(&Outcome::Refused(stage, reply(550)), 1), expected, "{stage:?}");
    }
    for fault in [Fault::Name, Fault::Tls, Fault::StartTls, Fault::Timeout, Fault::Closed, Fault::LostAfterData] {
        assert_eq!(in_days(&Outcome::Unanswered(fault, String::new()), 1), first, "{fault:?}");
    }
    assert_eq!(in_days(&Outcome::Unsendable(String::new()), 1), Next::Failed);
    assert_eq!(in_days(&Outcome::Expired, 1), Next::Failed);
    assert_eq!(in_days(&Outcome::Delivered(reply(250)), 13), Next::Delivered);
}

#[test]
fn delays_grow_over_about_a_day() {
    assert!(DELAYS.is_sorted());
    let all: Duration = DELAYS.iter().sum();
    assert!((Duration::from_hours(20)..Duration::from_hours(28)).contains(&all), "{all:?}");
    assert_eq!(in_days(&Outcome::Refused(Stage::Mail, reply(451)), 13), Next::Failed);
}

#[test]
fn a_mail_that_ends_soon_is_tried_before() {
    let deferred = Outcome::Refused(Stage::Mail, reply(451));
    let ends = |minutes| NOW + Duration::from_mins(minutes);
    assert_eq!(next(&deferred, 4, NOW, ends(18)), Next::Retry { after: Duration::from_mins(9) });
    assert_eq!(next(&deferred, 4, NOW, ends(0)), Next::Retry { after: DELAYS[0] });
}

#[test]
fn an_attempt_ends_before_its_claim_does() {
    let environment =
        [("SVC_SMTP_URL", "smtp://mail.example"), ("SVC_MAIL_FROM", "a@b.example"), ("SVC_DATABASE_URL", "sqlite:x")];
    let settings = super::super::testing::settings(&environment);
    let policy = Policy::mail(settings.mail.smtp.as_ref().unwrap());
    assert!(policy.timeout < policy.stale_after);
}
