//! Passwords, tokens, sealed secrets: everything that needs a cryptographic primitive.
//!
//! No database, no HTTP: what is given goes in, what is to be stored or sent comes out.
//!
//! - [`secret_keys`] are what `SVC_SECRET_KEY` gives; [`seal`], [`refresh_token`] and [`token_hash`] work with them.
//! - [`csrf`] and [`webhook_signature`] stand alone.

pub mod csrf;
mod hex;
pub mod refresh_token;
pub mod seal;
pub mod secret_keys;
pub mod token_hash;
pub mod webhook_signature;

#[cfg(test)]
mod test_keys;
