//! The HTTP layer: `router.rs` has all routes; handlers turn requests into use cases and outcomes into responses.

mod accept;
mod api;
pub mod assets;
mod body_budget;
pub mod client;
mod connection_limits;
pub mod content_policy;
pub mod cookies;
mod csrf;
mod device;
mod doctor;
mod error;
mod failure;
pub mod form;
mod gate;
pub mod language;
mod memory_limit;
pub mod metrics;
mod middleware;
mod page_error;
mod page_notes;
mod pages;
mod pending_verification;
mod probes;
mod request_id;
pub mod return_to;
mod router;
mod sealed_address;
mod server;
mod session;
mod site_sums;
pub mod views;
mod warning_interval;
mod write_timeout;

pub use gate::GateHeaders;
pub use server::Server;
