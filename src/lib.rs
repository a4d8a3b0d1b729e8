//! Doorward: a self-hosted authentication service.
//!
//! Below the modules of this package stand those of `doorward-core` (data types, settings, cryptography and the
//! database), which are named here as if they were its own. The modules, from the ground up; each may use those above it
//! and none below (`tests/it/architecture.rs`):
//!
//! - [`mod@error`] is the error of use cases that is not the user's fault.
//! - [`rate_limit`] counts attempts and refuses those beyond the limits.
//! - [`refusal`] is the error of a change that a rule forbids.
//! - [`context`] is the shared state of a process, a plain struct.
//! - [`device_name`] says what a device is called.
//! - [`html`] writes texts into pages and emails.
//! - [`mail`] composes emails and puts them into the outbox.
//! - [`domain`] holds the use cases, one transaction each.
//! - [`delivery`] delivers the events and emails in the outbox.
//! - [`http`] holds the routes, the pages and the JSON APIs.
//! - [`boot`] builds the context; [`background`] and [`service`] run the service; [`doctor`] examines it; [`cli`] holds
//!   the commands.

pub mod background;
pub mod boot;
pub mod cli;
pub mod context;
pub mod delivery;
pub mod device_name;
pub mod doctor;
pub mod domain;
pub mod error;
pub mod html;
pub mod http;
pub mod mail;
pub mod rate_limit;
pub mod refusal;
pub mod service;

pub use doorward_core::{
    brand, breached, clock, crypto, messages, metrics, model, oidc, outbound, random, settings, store, traces,
};
