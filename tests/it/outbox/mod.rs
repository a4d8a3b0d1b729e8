//! The delivery of events: from a commit to the receiver, and what is written down of it.

mod claims;
mod deliveries;
pub mod fixture;
mod pools;
pub mod service;
pub mod steps;
