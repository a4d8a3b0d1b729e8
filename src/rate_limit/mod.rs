//! Rate limits (docs/protocol.md, section 14).
//!
//! A [`RateLimit`] is a bucket that empties with each use and fills with time. The buckets are rows of the database, so
//! that all processes share them and they survive a restart. Password attempts have rules of their own (`login`), which
//! grow with failures. Refreshes of a session are too many to write each one down: every process counts them in its own
//! memory (`refresh`).

mod bucket;
mod limiter;
mod login;
mod refresh;

pub use bucket::{RateLimit, RateLimitError};
pub use limiter::RateLimiter;
