//! What carries the deliveries of a channel, and what it says of an attempt.

use super::deliver::Deliverer;
use super::mail::MailCarrier;
use super::{classify, retry};
use crate::model::event::EventKind;
use crate::store::{Claimed, Next};

/// What carries the deliveries of a channel.
pub(super) enum Carrier {
    /// Posts events to the application's receiver.
    Webhook(Box<Deliverer>),
    /// Hands mails to the mail server.
    Mail(Box<MailCarrier>),
}

/// What came of an attempt, and what becomes of the delivery.
pub(super) struct Verdict {
    /// The class of the outcome, as it is stored and logged.
    pub(super) class: &'static str,
    /// The status that was answered, if one was.
    pub(super) status: Option<u16>,
    /// The beginning of what was answered.
    pub(super) response: Vec<u8>,
    /// Why nothing was, in words; for the log.
    pub(super) detail: String,
    /// What becomes of the delivery.
    pub(super) next: Next,
}

impl Carrier {
    /// Every class that an attempt is recorded with.
    pub(super) fn classes(&self) -> &'static [&'static str] {
        match self {
            Carrier::Webhook(_) => &classify::CLASSES,
            Carrier::Mail(_) => &crate::mail::Outcome::CLASSES,
        }
    }

    /// Whether a delivery is not to be sent, as its kind is no longer enabled.
    pub(super) fn is_disabled(&self, delivery: &Claimed) -> bool {
        match self {
            Carrier::Webhook(deliverer) => {
                EventKind::parse(&delivery.kind).is_some_and(|kind| !deliverer.settings().enabled_events.contains(kind))
            }
            Carrier::Mail(_) => false,
        }
    }

    /// Makes the attempt of this number.
    pub(super) async fn attempt(&self, delivery: &Claimed, number: i64) -> Verdict {
        match self {
            Carrier::Webhook(deliverer) => deliverer.verdict(deliverer.deliver(delivery).await, number),
            Carrier::Mail(carrier) => carrier.attempt(delivery, number).await,
        }
    }

    /// What is said of an attempt that broke off through a fault of our own.
    pub(super) fn broken_off(&self, number: i64) -> Verdict {
        const DETAIL: &str = "the delivery broke off";
        match self {
            Carrier::Webhook(deliverer) => {
                deliverer.verdict(classify::Outcome::unanswered(classify::Fault::Internal, DETAIL), number)
            }
            Carrier::Mail(_) => MailCarrier::broken_off(number, DETAIL),
        }
    }

    /// Ends connections that wait for the next delivery.
    pub(super) async fn close(&self) {
        match self {
            // Dropping its connections is all that HTTP asks for.
            Carrier::Webhook(_) => {}
            Carrier::Mail(carrier) => carrier.close().await,
        }
    }
}

impl Deliverer {
    fn verdict(&self, outcome: classify::Outcome, number: i64) -> Verdict {
        let next = retry::next(&outcome, number, self.settings(), self.clock().now());
        let (class, status) = (outcome.class(), outcome.status());
        let (response, detail) = match outcome {
            classify::Outcome::Answered { body, .. } => (body, String::new()),
            classify::Outcome::Unanswered { detail, .. } => (Vec::new(), detail),
        };
        Verdict { class, status, response, detail, next }
    }
}
