//! Rate limits (docs/reference/limits.md, computed from here).
//!
//! A [`RateLimit`] is a token bucket. The buckets are rows of the database, so that all processes share them and they
//! survive a restart. Password attempts have delays that grow with failures (`login`). Refreshes of a session and
//! requests with API keys are too frequent for a write each: every process counts them in memory (`memory`).

mod bucket;
mod delay;
#[cfg(test)]
#[path = "document_tests.rs"]
mod document;
mod limiter;
mod login;
mod memory;
mod unlock;

pub use bucket::{ChangeKind, NoticeWeight, RateLimit, RateLimitError};
pub use delay::{DelayedFrom, LoginDelay};
pub use limiter::RateLimiter;
pub use login::AttemptPlace;
