//! Sending emails over SMTP, or to this process, and the delays of their retries.

use super::attempt_result::AttemptResult;
use super::policy::MAX_MAIL_ATTEMPTS;
use super::shutdown::Shutdown;
use crate::context::App;
use crate::mail::{Content, Mailer, Reply, SmtpFailure, SmtpOutcome};
use crate::model::local_mail::LocalMail;
use crate::model::time::Time;
use crate::store::{Claimed, Next};
use std::sync::Arc;
use std::time::Duration;

/// The delays before attempt 2, 3, …: minutes for a server that greylists or restarts, and about a day for one that is
/// being repaired. RFC 5321, 4.5.4.1 asks for four to five days; here the operator sees a failure at once.
const RETRY_DELAYS: [Duration; 12] = [
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
const _: () = assert!(RETRY_DELAYS.len() + 1 == MAX_MAIL_ATTEMPTS as usize);
/// The time for attempts in progress at shutdown: a mail server that hangs must not delay it by minutes.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);
/// How many emails this process keeps for those who ask for them; the oldest go first.
const MAX_LOCAL_MAILS: usize = 10_000;

/// The size up to which a reply is stored for the operator.
const MAX_RESPONSE_BYTES: usize = 1024;

/// Decrypts emails and delivers them.
pub(super) struct MailTransport {
    app: Arc<App>,
    recipient: Recipient,
    shutdown: Shutdown,
}

/// What takes the emails.
pub(super) enum Recipient {
    Server(Box<Mailer>),
    /// [`App::local_mails`].
    ThisProcess,
}

impl MailTransport {
    pub(super) fn new(app: Arc<App>, recipient: Recipient, shutdown: Shutdown) -> Self {
        Self { app, recipient, shutdown }
    }

    pub(super) async fn attempt(&self, delivery: &Claimed, number: i64) -> AttemptResult {
        let content = match Content::open(&self.app.secret_keys, delivery.id.mail(), &delivery.payload) {
            Ok(Some(content)) => content,
            Ok(None) => return Self::aborted(number, "the mail was erased"),
            Err(error) => return Self::aborted(number, &error.to_string()),
        };
        let expires_at = content.expires_at;
        let outcome = match &self.recipient {
            _ if expires_at <= self.now() => SmtpOutcome::Expired,
            Recipient::Server(mailer) => self.send(mailer, &content).await,
            Recipient::ThisProcess => self.keep(delivery, content),
        };
        attempt_result(&outcome, next(&outcome, number, self.now(), expires_at))
    }

    fn keep(&self, delivery: &Claimed, content: Content) -> SmtpOutcome {
        let Content { to, subject, text, link, code, .. } = content;
        let (id, kind) = (delivery.id.mail(), delivery.kind.clone());
        let mut mails = self.app.local_mails.lock();
        if mails.len() == MAX_LOCAL_MAILS {
            mails.pop_front();
        }
        mails.push_back(LocalMail { id, kind, to, subject, text, link, code });
        drop(mails);
        self.app.local_mail_arrived.notify_one();
        SmtpOutcome::Delivered(Reply { code: 250, text: "delivered to this process".to_owned() })
    }

    async fn send(&self, mailer: &Mailer, content: &Content) -> SmtpOutcome {
        let mut shutdown = self.shutdown.clone();
        let interrupted = async {
            shutdown.requested().await;
            tokio::time::sleep(SHUTDOWN_TIMEOUT).await;
        };
        tokio::select! {
            outcome = mailer.send(content) => outcome,
            () = interrupted => SmtpOutcome::Unanswered(SmtpFailure::Interrupted, "the process ended".to_owned()),
        }
    }

    /// The result of an attempt that ended through a failure of this service; the email's expiry may be unknown.
    pub(super) fn aborted(number: i64, detail: &str) -> AttemptResult {
        let outcome = SmtpOutcome::Unanswered(SmtpFailure::Internal, detail.to_owned());
        let next = delay(number).map_or(Next::Failed, |after| Next::Retry { after });
        attempt_result(&outcome, next)
    }

    pub(super) async fn close(&self) {
        if let Recipient::Server(mailer) = &self.recipient {
            mailer.close().await;
        }
    }

    fn now(&self) -> Time {
        self.app.clock.now()
    }
}

fn attempt_result(outcome: &SmtpOutcome, next: Next) -> AttemptResult {
    let reply = outcome.reply();
    AttemptResult {
        class: outcome.class(),
        status: reply.map(|reply| reply.code),
        response: reply.map(|reply| reply.text.bytes().take(MAX_RESPONSE_BYTES).collect()).unwrap_or_default(),
        detail: outcome.detail().to_owned(),
        next,
    }
}

/// The next state of an email after attempt number `attempts`.
fn next(outcome: &SmtpOutcome, attempts: i64, now: Time, expires_at: Time) -> Next {
    if matches!(outcome, SmtpOutcome::Delivered(_)) {
        return Next::Delivered;
    }
    match delay(attempts).filter(|_| outcome.is_retryable()) {
        // An email that expires soon is retried after half of its remaining time.
        Some(after) => Next::Retry { after: after.min((expires_at.since(now) / 2).max(RETRY_DELAYS[0])) },
        None => Next::Failed,
    }
}

/// The delay after attempt number `attempts`, if there is another one.
fn delay(attempts: i64) -> Option<Duration> {
    RETRY_DELAYS.get(usize::try_from(attempts - 1).ok()?).copied()
}

#[cfg(test)]
#[path = "mail_tests.rs"]
mod tests;
