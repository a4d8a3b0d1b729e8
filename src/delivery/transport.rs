//! How the deliveries of a channel are sent.

use super::attempt_result::AttemptResult;
use super::classify::RequestOutcome;
use super::deliver::Deliverer;
use super::mail::MailTransport;
use crate::model::event::EventKind;
use crate::store::Claimed;

/// How the deliveries of a channel are sent.
pub(super) enum Transport {
    Webhook(Box<Deliverer>),
    Mail(Box<MailTransport>),
}

impl Transport {
    /// Whether the kind of a delivery is no longer enabled.
    pub(super) fn is_disabled(&self, delivery: &Claimed) -> bool {
        match self {
            Transport::Webhook(deliverer) => {
                EventKind::parse(&delivery.kind).is_some_and(|kind| !deliverer.settings().enabled_events.contains(kind))
            }
            Transport::Mail(_) => false,
        }
    }

    pub(super) async fn attempt(&self, delivery: &Claimed, number: i64) -> AttemptResult {
        match self {
            Transport::Webhook(deliverer) => deliverer.attempt_result(deliverer.deliver(delivery).await, number),
            Transport::Mail(transport) => transport.attempt(delivery, number).await,
        }
    }

    /// The result of an attempt that ended through a failure of this service.
    pub(super) fn aborted(&self, number: i64) -> AttemptResult {
        const DETAIL: &str = "the attempt was aborted";
        match self {
            Transport::Webhook(deliverer) => deliverer.attempt_result(RequestOutcome::internal(DETAIL), number),
            Transport::Mail(_) => MailTransport::aborted(number, DETAIL),
        }
    }

    /// Closes idle connections.
    pub(super) async fn close(&self) {
        match self {
            // HTTP connections are closed when they are dropped.
            Transport::Webhook(_) => {}
            Transport::Mail(transport) => transport.close().await,
        }
    }
}
