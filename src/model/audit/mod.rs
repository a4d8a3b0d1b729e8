//! The audit log: what happened to accounts, who did it, and from where (OWASP ASVS 5.0, 16.3).

mod kind;

pub use kind::AuditKind;

use super::ids::AuditId;
use super::time::Time;
use std::time::Duration;
use uuid::Uuid;

/// How long entries are kept.
pub const RETENTION: Duration = Duration::from_hours(90 * 24);

/// The position to read from for the newest entries: later than every entry.
pub const NEWEST: (Time, AuditId) = (Time::from_micros(i64::MAX / 2), AuditId(Uuid::nil()));
