//! Doorward: a self-hosted authentication service.
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
//! - [`store`] holds the SQL, for SQLite and PostgreSQL.
//! - [`mod@error`] is the error of use cases that is not the user's fault.
//! - [`rate_limit`] counts attempts and refuses those beyond the limits.
//! - [`context`] is the shared state of a process, a plain struct.
//! - [`mail`] composes emails and puts them into the outbox.
//! - [`domain`] holds the use cases, one transaction each.
//! - [`delivery`] delivers the events and emails in the outbox.
//! - [`http`] holds the routes, the pages and the JSON APIs.
//! - [`boot`] builds the context; [`background`] and [`service`] run the service; [`doctor`] examines it; [`cli`] holds
//!   the commands.

pub mod background;
pub mod boot;
pub mod brand;
pub mod breached;
pub mod cli;
pub mod clock;
pub mod context;
pub mod crypto;
pub mod delivery;
pub mod doctor;
pub mod domain;
pub mod error;
pub mod http;
pub mod mail;
pub mod messages;
pub mod metrics;
pub mod model;
pub mod outbound;
pub mod random;
pub mod rate_limit;
pub mod service;
pub mod settings;
pub mod store;
pub mod traces;
