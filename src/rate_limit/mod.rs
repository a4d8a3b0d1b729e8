//! Rate limits (docs/reference/limits.md, computed from here).
//!
//! A [`RateLimit`] is a token bucket. The buckets are rows of the database, so that all processes share them and they
//! survive a restart. Refreshes of a session and requests with API keys are too frequent for a write each: every process
//! counts them in memory (`memory`). A [`FailureLimit`] is of wrong secrets, whose delays grow (`failures`, `login`, `codes`).

mod account;
mod bucket;
mod codes;
#[cfg(test)]
#[path = "document_tests.rs"]
mod document;
mod failures;
mod limiter;
mod login;
mod memory;
mod rate;

pub use account::{RefusedLogin, RefusedStep};
pub use bucket::{ChangeKind, NoticeWeight, RateLimit, RateLimitError};
pub use codes::{CODE_FAILURE_RETENTION, CountedFor};
pub use failures::{APP_CODES, FailureLimit, ONE_CODE, ONE_PENDING_LOGIN, RefusedUntil};
pub use limiter::RateLimiter;
pub use login::AttemptPlace;
