//! The audit log: what happened to accounts, who did it, and from where (OWASP ASVS 5.0, 16.3).

mod entry;
mod kind;

pub use entry::{AuditEntry, By};
pub use kind::AuditKind;

use super::ids::AuditId;
use super::time::Time;
use std::time::Duration;
use uuid::Uuid;

/// Entries are kept for this long.
pub const KEPT: Duration = Duration::from_hours(90 * 24);

/// The position from which the latest entries are read: later than every entry.
pub const NEWEST: (Time, AuditId) = (Time::from_micros(i64::MAX / 2), AuditId(Uuid::nil()));
