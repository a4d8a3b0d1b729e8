//! The HTTP side: every route stands in `router.rs`; handlers turn requests into use cases and outcomes into answers.

mod api;
pub mod assets;
mod client;
pub mod content_policy;
mod cookies;
mod csrf;
mod device;
mod envelope;
mod error;
mod form;
mod language;
pub mod metrics;
mod pages;
mod probes;
mod request_id;
pub mod return_to;
mod router;
mod security;
mod server;
mod session;
mod ticket;
mod unstalled;
pub mod views;

pub use server::Server;
