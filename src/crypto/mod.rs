//! Passwords, tokens, sealed secrets: everything that needs a cryptographic primitive.
//!
//! No database, no HTTP: what is given goes in, what is to be stored or sent comes out.
//!
//! - [`secret_keys`] are what `SVC_SECRET_KEY` gives; [`seal`], [`refresh_token`], [`token_hash`] and [`mail_code`] work
//!   with them.
//! - [`password`] hashes, [`hashing_pool`] bounds how much of that happens at once, [`password_policy`] says which
//!   passwords are taken at all, with the list in [`common_passwords`].
//! - [`signing_key`] makes the keys of [`access_token`], whose results [`verified_cache`] keeps.
//! - [`totp`] and [`recovery_code`] are the second factors that people type; [`passkey`] is both factors in one.
//! - [`csrf`], [`webhook_signature`] and [`name_uuid`] stand alone.

pub mod access_token;
pub mod common_passwords;
pub mod csrf;
mod hash_memory;
pub mod hashing_pool;
mod hashing_threads;
pub mod limit_id;
pub mod mail_code;
pub mod name_uuid;
pub mod passkey;
pub mod password;
pub mod password_policy;
pub mod recovery_code;
pub mod refresh_token;
pub mod seal;
pub mod secret_keys;
pub mod signing_key;
pub mod token_hash;
pub mod totp;
pub mod verified_cache;
pub mod webhook_signature;

#[cfg(test)]
mod test_keys;
