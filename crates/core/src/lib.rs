//! The ground floor of Doorward, on which its use cases and its HTTP stand.
//!
//! The modules, from the ground up; each may use those above it and none below (`tests/it/architecture.rs`):
//!
//! - [`model`] holds the data types: ids, roles, events, audit entries.
//! - [`clock`] and [`random`] are the only sources of time and randomness.
//! - [`messages`] holds the texts of the pages, [`brand`] the operator's name, logo and color.
//! - [`breached`] looks passwords up in a filter of breached passwords.
//! - [`settings`] reads the environment into typed sections; [`settings::name`] derives every wire name.
//! - [`outbound`] holds the HTTP clients for other servers.
//! - [`metrics`] holds what a process counts and times.
//! - [`traces`] holds the spans of requests, for a collector.
//! - [`crypto`] hashes passwords, seals secrets, and issues and verifies tokens.
//! - [`oidc`] speaks the protocol with providers of logins.
//! - [`store`] holds the SQL, for SQLite and PostgreSQL.

pub mod brand;
pub mod breached;
pub mod clock;
pub mod crypto;
pub mod messages;
pub mod metrics;
pub mod model;
pub mod oidc;
pub mod outbound;
pub mod random;
pub mod settings;
pub mod store;
pub mod traces;
