//! Doorward: a self-hosted authentication service.
//!
//! Data flows one way: a request goes `http → domain → store`; an event goes `outbox → worker → receiver`.
//!
//! - [`settings`] reads the environment into typed sections; [`settings::name`] derives every wire name.
//! - [`clock`] and [`random`] are the only sources of time and randomness.
//! - [`crypto`] hashes passwords, seals secrets, and makes and checks tokens.
//! - [`cli`] reads the command line; one file a command.
//! - [`domain`] holds the types and the use cases, one transaction each.
//! - [`outbox`] delivers the events that they record.

pub mod cli;
pub mod clock;
pub mod crypto;
pub mod domain;
pub mod outbox;
pub mod random;
pub mod settings;
pub mod store;
