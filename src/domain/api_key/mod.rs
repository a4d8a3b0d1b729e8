//! API keys of applications' backends: operators make them, requests present them.

pub mod judge;
pub mod manage;
pub(in crate::domain) mod reseal;
mod sealed;
