//! Outcomes on their way from the attempts to the settler.

use crate::store::Settlement;
use tokio::sync::{mpsc, oneshot};

/// The class of an attempt that was not made because its kind is no longer enabled.
pub(super) const DISABLED: &str = "disabled";

/// What came of an attempt, with what the log says of it.
pub(super) struct Report {
    pub(super) settlement: Settlement,
    pub(super) kind: String,
    pub(super) detail: String,
}

pub(super) enum Message {
    Report(Report),
    Flush(oneshot::Sender<()>),
}

/// Where outcomes are reported. Their number is bounded by what has been begun.
#[derive(Clone)]
pub(super) struct Reports(mpsc::UnboundedSender<Message>);

impl From<mpsc::UnboundedSender<Message>> for Reports {
    fn from(sender: mpsc::UnboundedSender<Message>) -> Self {
        Self(sender)
    }
}

impl Reports {
    pub(super) fn report(&self, report: Report) {
        // The settler ends only after all who report; without it, the reaper sees to the delivery.
        let _ = self.0.send(Message::Report(report));
    }

    /// Returns when all that was reported before is written.
    pub(super) async fn flush(&self) {
        let (done, written) = oneshot::channel();
        if self.0.send(Message::Flush(done)).is_ok() {
            let _ = written.await;
        }
    }
}
