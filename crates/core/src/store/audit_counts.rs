//! How many entries of the audit log a process has written.

use crate::model::audit::AuditKind;
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) struct AuditCounts([AtomicU64; AuditKind::ALL.len()]);

impl Default for AuditCounts {
    fn default() -> Self {
        Self([const { AtomicU64::new(0) }; AuditKind::ALL.len()])
    }
}

impl AuditCounts {
    pub(super) fn add(&self, written: &[(AuditKind, i64)]) {
        for (kind, times) in written {
            if let Some(index) = AuditKind::ALL.iter().position(|known| known == kind) {
                self.0[index].fetch_add(times.unsigned_abs(), Ordering::Relaxed);
            }
        }
    }

    pub(super) fn all(&self) -> Vec<(&'static str, u64)> {
        let counts = self.0.iter().map(|count| count.load(Ordering::Relaxed));
        AuditKind::ALL.iter().map(|kind| kind.as_str()).zip(counts).collect()
    }
}
