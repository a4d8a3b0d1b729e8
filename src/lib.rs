//! Doorward: a self-hosted authentication service.
//!
//! Data flows one way: a request goes `http → domain → store`; an event goes `outbox → worker → receiver`.
//!
//! - [`settings`] reads the environment into typed sections; [`settings::name`] derives every wire name.
//! - [`clock`] and [`random`] are the only sources of time and randomness.
//! - [`crypto`] hashes passwords, seals secrets, and makes and checks tokens; [`secret_file`] finds the secret key.
//! - [`breached`] asks whether a password is known from a breach.
//! - [`domain`] holds the types and the use cases, one transaction each.
//! - [`store`] holds the SQL and nothing else, for SQLite and PostgreSQL.
//! - [`mail`] writes mails and puts them into the outbox; [`outbox`] delivers what the use cases recorded.
//! - [`http`] holds the routes, the pages and the JSON operations; [`limits`] says how often who may ask.
//! - [`cli`] holds the commands; [`app`] wires everything; [`service`] and [`background`] run it.

pub mod app;
pub mod background;
pub mod brand;
pub mod breached;
pub mod cli;
pub mod clock;
pub mod crypto;
pub mod domain;
pub mod http;
pub mod limits;
pub mod mail;
pub mod messages;
pub mod outbox;
pub mod random;
pub mod secret_file;
pub mod service;
pub mod settings;
pub mod store;
