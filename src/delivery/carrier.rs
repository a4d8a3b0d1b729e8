//! What carries the deliveries of a channel, and what it says of an attempt.

use super::classify;
use super::deliver::Deliverer;
use super::mail::MailCarrier;
use super::verdict::Verdict;
use crate::model::event::EventKind;
use crate::store::Claimed;

/// What carries the deliveries of a channel.
pub(super) enum Carrier {
    /// Posts events to the application's receiver.
    Webhook(Box<Deliverer>),
    /// Hands mails to the mail server.
    Mail(Box<MailCarrier>),
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
