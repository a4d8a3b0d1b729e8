//! The command line: what may be typed, and the commands themselves.

pub mod args;
pub mod config;
mod help;
