//! The channel from the attempts to the settler.

use crate::store::Settlement;
use tokio::sync::{mpsc, oneshot};

/// The class of an attempt that was not made because its kind is no longer enabled.
pub(super) const DISABLED: &str = "disabled";

/// The result of an attempt, with what is only logged.
pub(super) struct AttemptReport {
    pub(super) settlement: Settlement,
    pub(super) kind: String,
    /// Of whom or what the event tells.
    pub(super) subject: Option<String>,
    pub(super) detail: String,
}

pub(super) enum SettlerMessage {
    AttemptReport(AttemptReport),
    Flush(oneshot::Sender<()>),
}

/// Sends results to the settler. Their number is bounded by the number of started attempts.
#[derive(Clone)]
pub(super) struct Reports(mpsc::UnboundedSender<SettlerMessage>);

impl From<mpsc::UnboundedSender<SettlerMessage>> for Reports {
    fn from(sender: mpsc::UnboundedSender<SettlerMessage>) -> Self {
        Self(sender)
    }
}

impl Reports {
    pub(super) fn report(&self, report: AttemptReport) {
        // The settler ends after all senders; if it has panicked, the reaper takes the claim back.
        let _ = self.0.send(SettlerMessage::AttemptReport(report));
    }

    /// Returns when all earlier reports are settled.
    pub(super) async fn flush(&self) {
        let (done, written) = oneshot::channel();
        if self.0.send(SettlerMessage::Flush(done)).is_ok() {
            let _ = written.await;
        }
    }
}
