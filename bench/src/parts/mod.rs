//! The parts of the benchmark, each with its result and table.

pub mod api;
pub mod bodies;
pub mod compare;
pub mod growth;
mod growth_bare;
mod growth_operations;
pub mod login;
pub mod mails;
pub mod memory;
pub mod organizations;
pub mod refresh;
mod series;
pub mod simulate;
pub mod soak;
pub mod start;
pub mod timing;
pub mod two;
pub mod user;
pub mod webhooks;
