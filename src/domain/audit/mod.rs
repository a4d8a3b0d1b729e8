//! The audit log: what happened to accounts, who did it, and from where (OWASP ASVS 5.0, 16.3).
//!
//! An entry is written in the transaction of the action, with [`Tx::audit_push`](crate::store::Tx::audit_push). Tries
//! that failed change nothing, so there is no transaction to write them in: [`FailedTries`] collects them.

mod entry;
mod failed_tries;
mod kind;

pub use entry::{AuditEntry, By};
pub use failed_tries::FailedTries;
pub use kind::AuditKind;

use crate::clock::Time;
use crate::domain::ids::AuditId;
use std::time::Duration;
use uuid::Uuid;

/// Entries are kept for this long.
pub const KEPT: Duration = Duration::from_hours(90 * 24);

/// The place in the log from which the latest entries are read: in front of all that there will be.
pub const NEWEST: (Time, AuditId) = (Time::from_micros(i64::MAX / 2), AuditId(Uuid::nil()));
