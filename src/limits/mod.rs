//! How often who may ask (contract.md 4).
//!
//! A [`Limited`] is a bucket that empties with each use and fills with time. The buckets stand in the database, where
//! all processes and the next start find them. Tries at passwords have rules of their own ([`log_in`]): what is there
//! grows with failures. The refreshes of a session, of which there are too many to write each down, are counted by each
//! process in its own memory ([`RefreshLimits`]).

mod bucket;
pub mod log_in;
mod memory;

pub use bucket::{Limited, Refused, network, take, take_in};
pub use memory::RefreshLimits;
