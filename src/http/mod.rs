//! The web server: pages, the JSON operations, and what they have in common.

pub mod assets;
pub mod content_policy;
pub mod views;
