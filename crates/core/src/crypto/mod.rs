//! Passwords, tokens, sealed secrets: everything that needs a cryptographic primitive. No database and no HTTP.
//!
//! - [`secret_keys`] derives the keys from `SVC_SECRET_KEY`; [`seal`], [`refresh_token`], [`token_hash`], [`mail_code`]
//!   and [`keyed_hash`] use them.
//! - [`password`] hashes passwords, [`hashing_pool`] bounds the concurrency, [`password_policy`] decides which
//!   passwords are accepted.
//! - [`signing_key`] generates the keys of [`access_token`]; [`verified_cache`] caches verified tokens.
//! - [`totp`] and [`recovery_code`] are second factors; [`passkey`] covers both factors.
//! - [`id_token`] verifies the tokens of providers, with [`login_secrets`]; [`apple_key`] signs the secret for Apple, and
//!   [`scripted_token`] the tokens of the provider of tests.
//! - [`api_key`] generates and reads the keys of applications' backends.
//! - [`csrf`], [`parts_hash`] and [`webhook_signature`] are independent of the others.

pub mod access_token;
pub mod api_key;
pub mod apple_key;
pub mod csrf;
mod hash_memory;
pub mod hashing_pool;
pub mod hashing_shares;
mod hashing_threads;
pub mod id_token;
pub mod keyed_hash;
pub mod login_secrets;
pub mod mail_code;
pub mod parts_hash;
pub mod passkey;
pub mod password;
pub mod password_policy;
pub mod recovery_code;
pub mod refresh_token;
pub mod scripted_token;
pub mod seal;
pub mod secret_keys;
pub mod signing_key;
pub mod token_hash;
pub mod totp;
pub mod verified_cache;
pub mod webhook_signature;

#[cfg(test)]
pub(crate) mod test_keys;
