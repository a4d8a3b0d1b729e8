//! What was done with the service as a whole.

use super::description::{AuditDraft, Described};
use crate::model::audit::AuditKind;
use crate::model::ids::{EventId, JobId};
use serde_json::{Map, Value};

/// What was done with the service as a whole.
#[derive(Clone, Copy, Debug)]
pub enum InstanceChange<'a> {
    /// Entries of the audit log were downloaded.
    AuditExported {
        format: &'static str,
        /// What restricted them, by name; things by their ids.
        filter: &'a Map<String, Value>,
        count: u64,
    },
    DeliveryReplayed {
        event: EventId,
    },
    DeliveriesReplayed {
        job: JobId,
        filter: &'a Map<String, Value>,
    },
}

impl InstanceChange<'_> {
    pub(super) fn described(&self) -> Described {
        match self {
            InstanceChange::AuditExported { format, filter, count } => {
                let entry = AuditDraft::new(AuditKind::AuditExported, "audit log exported");
                let entry = entry.detail(format!("{count} as {format}")).field("format", *format);
                Described::entry(entry.field("filter", (*filter).clone()).field("count", *count))
            }
            InstanceChange::DeliveryReplayed { event } => {
                let entry = AuditDraft::new(AuditKind::DeliveriesReplayed, "a webhook is sent again");
                Described::entry(entry.detail(event.wire()).field("event_id", event.wire()))
            }
            InstanceChange::DeliveriesReplayed { job, filter } => {
                let entry = AuditDraft::new(AuditKind::DeliveriesReplayed, "webhooks are sent again");
                let entry = entry.detail(job.to_string()).field("job_id", job.to_string());
                Described::entry(entry.field("filter", (*filter).clone()))
            }
        }
    }
}
