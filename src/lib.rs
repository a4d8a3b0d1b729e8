//! Doorward: a self-hosted authentication service.
//!
//! The modules, from the ground up; each may use those above it and none below (`tests/it/architecture.rs`):
//!
//! - [`model`] holds the nouns: ids, roles, events, audit entries.
//! - [`clock`] and [`random`] are the only sources of time and randomness.
//! - [`messages`] holds the texts that people read, [`brand`] the operator's name, logo and color.
//! - [`breached`] looks passwords up in a filter of breached ones.
//! - [`settings`] reads the environment into typed sections; [`settings::name`] derives every wire name.
//! - [`crypto`] hashes passwords, seals secrets, and makes and checks tokens.
//! - [`store`] holds the SQL and nothing else, for SQLite and PostgreSQL.
//! - [`mod@error`] is the error of use cases that is not the user's fault.
//! - [`rate_limit`] counts attempts and refuses those beyond the limits.
//! - [`context`] is the shared state of a process, a plain struct.
//! - [`mail`] writes mails and puts them into the outbox.
//! - [`domain`] holds the use cases, one transaction each.
//! - [`delivery`] sends what the use cases put into the outbox.
//! - [`http`] holds the routes, the pages and the JSON operations.
//! - [`boot`] builds the context; [`background`] and [`service`] run it; [`cli`] holds the commands.

pub mod background;
pub mod boot;
pub mod brand;
pub mod breached;
pub mod cli;
pub mod clock;
pub mod context;
pub mod crypto;
pub mod delivery;
pub mod domain;
pub mod error;
pub mod http;
pub mod mail;
pub mod messages;
pub mod model;
pub mod random;
pub mod rate_limit;
pub mod service;
pub mod settings;
pub mod store;
