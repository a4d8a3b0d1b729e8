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

use std::time::Duration;

/// Entries are kept for this long.
pub const KEPT: Duration = Duration::from_hours(90 * 24);
