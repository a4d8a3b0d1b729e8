//! API keys of applications' backends: operators make them, requests present them.

pub mod authenticate;
pub mod manage;
pub(in crate::domain) mod reseal;
