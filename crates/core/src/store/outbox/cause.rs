//! What caused the events of a task: the caller's place in a trace, which their webhooks tell the receiver.
//!
//! It belongs to a request, as its id in the log does, and no rule depends on it; so it is not a parameter of every use
//! case.

use crate::model::trace::TraceParent;

tokio::task_local! {
    static CAUSE: Option<TraceParent>;
}

/// Runs work whose events have this cause.
pub async fn caused_by<F: Future>(cause: Option<TraceParent>, work: F) -> F::Output {
    CAUSE.scope(cause, work).await
}

/// The cause of the events of this task, if there is one.
pub(super) fn cause() -> Option<TraceParent> {
    CAUSE.try_with(|cause| *cause).ok().flatten()
}
