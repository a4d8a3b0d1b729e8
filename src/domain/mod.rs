//! The use cases of users and operators, by journey: accounts, sessions and organizations.
//!
//! A use case is one function and one transaction, which also records every event that it causes.

pub mod account;
pub mod api_key;
pub mod dev_session;
pub mod doctor_nonce;
pub mod idempotency;
pub mod keys;
pub mod login;
pub mod lost_key;
pub mod mfa;
pub mod organization;
pub mod other_processes;
pub mod registration;
pub mod restored;
pub mod session;
pub mod verification;
