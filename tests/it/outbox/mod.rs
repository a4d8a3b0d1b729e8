//! Webhook delivery, from the commit of an event to the recorded outcome.

mod claims;
mod deliveries;
pub mod fixture;
mod pools;
pub mod service;
pub mod steps;
