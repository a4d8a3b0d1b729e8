//! The parts of the benchmark, each with its result and the table of it.

pub mod organizations;
pub mod refresh;
mod series;
pub mod start;
pub mod timing;
pub mod user;
pub mod webhooks;
