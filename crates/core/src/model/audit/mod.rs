//! The audit log: what happened to accounts, who did it, and from where (OWASP ASVS 5.0, 16.3).

mod kind;

pub use kind::AuditKind;

use std::time::Duration;

pub const RETENTION: Duration = Duration::from_hours(90 * 24);
