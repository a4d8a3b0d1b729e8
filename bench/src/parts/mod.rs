//! The parts of the benchmark, each with its result and table.

pub mod api;
pub mod compare;
pub mod login;
pub mod memory;
pub mod refresh;
pub mod search;
mod series;
pub mod start;
pub mod user;
pub mod webhooks;
