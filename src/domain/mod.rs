//! The use cases of users and operators, by journey: accounts, sessions and organizations.
//!
//! A use case is one function and one transaction, which also records every event that it causes.
//!
//! The modules have an order, and each imports only those before it: CONTRIBUTING.md has the list, under Map.

pub mod account;
pub mod api_key;
pub mod change;
pub mod dev_session;
pub mod directory;
pub mod doctor_nonce;
pub mod hourly_counts;
pub mod idempotency;
pub mod identity;
pub mod jobs;
pub mod keys;
pub mod login;
pub mod lost_key;
pub mod mailed_token;
pub mod mfa;
pub mod organization;
pub mod other_processes;
pub mod ownership;
pub mod provider;
pub mod provider_login;
pub mod registration;
pub mod restored;
pub mod session;
pub mod verification;
