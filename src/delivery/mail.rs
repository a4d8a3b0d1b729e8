//! Mails: how they are carried, and how often they are tried.

use super::policy::MAX_ATTEMPTS;
use super::stop::Stop;
use super::verdict::Verdict;
use crate::context::App;
use crate::mail::{Content, Fault, Mailer, Outcome};
use crate::model::ids::MailId;
use crate::model::time::Time;
use crate::store::{Claimed, Next};
use std::sync::Arc;
use std::time::Duration;

/// Delays before attempt 2, 3, …: minutes for a server that greylists or starts anew, and about a day for one that is
/// being mended. RFC 5321, 4.5.4.1 asks for more of a server that has nowhere to show a failure; ours is seen at once.
const DELAYS: [Duration; 12] = [
    Duration::from_secs(30),
    Duration::from_mins(2),
    Duration::from_mins(10),
    Duration::from_mins(30),
    Duration::from_hours(1),
    Duration::from_hours(2),
    Duration::from_hours(3),
    Duration::from_hours(3),
    Duration::from_hours(3),
    Duration::from_hours(3),
    Duration::from_hours(4),
    Duration::from_hours(4),
];
const _: () = assert!(DELAYS.len() + 1 == MAX_ATTEMPTS as usize);
/// What is under way at the signal to stop gets this time: nobody waits minutes for a mail server that hangs.
const FAREWELL: Duration = Duration::from_secs(10);
/// So much of an answer is kept for the operator.
const KEPT: usize = 1024;

/// Opens mails and hands them to the mail server.
pub(super) struct MailCarrier {
    app: Arc<App>,
    mailer: Mailer,
    stop: Stop,
}

impl MailCarrier {
    pub(super) fn new(app: Arc<App>, mailer: Mailer, stop: Stop) -> Self {
        Self { app, mailer, stop }
    }

    pub(super) async fn attempt(&self, delivery: &Claimed, number: i64) -> Verdict {
        let content = match Content::open(&self.app.secret_keys, MailId(delivery.id.0), &delivery.payload) {
            Ok(Some(content)) => content,
            Ok(None) => return Self::broken_off(number, "the mail was erased"),
            Err(error) => return Self::broken_off(number, &error.to_string()),
        };
        let outcome = if content.expires_at <= self.now() { Outcome::Expired } else { self.send(&content).await };
        verdict(&outcome, next(&outcome, number, self.now(), content.expires_at))
    }

    async fn send(&self, content: &Content) -> Outcome {
        let mut stop = self.stop.clone();
        let too_late = async {
            stop.given().await;
            tokio::time::sleep(FAREWELL).await;
        };
        tokio::select! {
            outcome = self.mailer.send(content) => outcome,
            () = too_late => Outcome::Unanswered(Fault::Interrupted, "the process ended".to_owned()),
        }
    }

    /// What is said of an attempt that failed through a fault of our own, of a mail whose end is not known.
    pub(super) fn broken_off(number: i64, detail: &str) -> Verdict {
        let outcome = Outcome::Unanswered(Fault::Internal, detail.to_owned());
        let next = delay(number).map_or(Next::Failed, |after| Next::Retry { after });
        verdict(&outcome, next)
    }

    pub(super) async fn close(&self) {
        self.mailer.close().await;
    }

    fn now(&self) -> Time {
        self.app.clock.now()
    }
}

fn verdict(outcome: &Outcome, next: Next) -> Verdict {
    let reply = outcome.reply();
    Verdict {
        class: outcome.class(),
        status: reply.map(|reply| reply.code),
        response: reply.map(|reply| reply.text.bytes().take(KEPT).collect()).unwrap_or_default(),
        detail: outcome.detail().to_owned(),
        next,
    }
}

/// What becomes of a mail after attempt number `attempts`.
fn next(outcome: &Outcome, attempts: i64, now: Time, expires_at: Time) -> Next {
    if matches!(outcome, Outcome::Delivered(_)) {
        return Next::Delivered;
    }
    match delay(attempts).filter(|_| outcome.is_worth_repeating()) {
        // A mail that ends soon is tried in ever shorter steps before it does.
        Some(after) => Next::Retry { after: after.min((expires_at.since(now) / 2).max(DELAYS[0])) },
        None => Next::Failed,
    }
}

/// The delay after attempt number `attempts`, if there is another one.
fn delay(attempts: i64) -> Option<Duration> {
    DELAYS.get(usize::try_from(attempts - 1).ok()?).copied()
}

#[cfg(test)]
#[path = "mail_tests.rs"]
mod tests;
