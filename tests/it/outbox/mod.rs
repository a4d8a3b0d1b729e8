//! The delivery of events: from a commit to the receiver, and what is written down of it.

mod claims;
mod deliveries;
mod fixture;
mod pools;
