//! Sessions: opened at login, renewed by refresh, ended once.

pub mod active;
pub mod candidates;
pub mod lifecycle;
pub mod presented;
pub mod refresh;
pub mod rotation;
