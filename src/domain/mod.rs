//! What Doorward is about: users, organizations, sessions and the events of their lives.
//!
//! A use case is one function and one transaction; every event it causes is recorded in that transaction.

pub mod accounts;
pub mod audit;
mod error;
pub mod events;
pub mod factors;
pub mod ids;
pub mod keys;
pub mod mailed;
pub mod metadata;
pub mod organizations;
pub mod passkeys;
pub mod roles;
pub mod sessions;

pub use error::Error;
