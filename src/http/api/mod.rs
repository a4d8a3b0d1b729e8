//! The JSON API, and the public keys.

pub mod cors;
pub mod error;
pub mod jwks;
pub mod refresh;
pub mod user;
pub mod v2;
