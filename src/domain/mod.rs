//! The use cases, by journey: what people and operators do with accounts, sessions and organizations.
//!
//! A use case is one function and one transaction. Every event that it causes is recorded in that transaction.

pub mod account;
pub mod keys;
pub mod login;
pub mod mfa;
pub mod organization;
pub mod registration;
pub mod session;
pub mod verification;
