//! Passwords known from breaches: a list of hundreds of millions, asked in microseconds.
//!
//! The operator brings the offline list of Have I Been Pwned, which nobody has to ask over the network then: 20 bytes of
//! SHA-1 for each password, ordered. [`import`] writes it into the data directory as a filter that is a tenth as large,
//! and [`Filter`] asks it with two positioned reads; nothing is kept in memory, and a newer filter counts at once.
//!
//! What is stored of a hash are its first bits, as many as the filter has buckets for and 24 more: so a password that is
//! in no breach is refused with the probability `entries / 2^(bucket bits + 24)`, about one in 260,000. One that is in
//! the list is always found.

mod filter;
mod format;
mod import;

pub use filter::{Filter, FilterError};
pub use import::{ImportError, Imported, import};

use secrecy::{ExposeSecret, SecretString};
use std::path::{Path, PathBuf};

/// The filter's file in the data directory.
const FILE: &str = "breached-passwords.filter";

/// The filter's file.
pub fn file(data_dir: &Path) -> PathBuf {
    data_dir.join(FILE)
}

/// Whether a password is known from a breach, as far as the operator has imported a list.
pub async fn contains(data_dir: &Path, password: &SecretString) -> Result<bool, FilterError> {
    let (file, password) = (file(data_dir), password.clone());
    let look = move || match Filter::open(&file)? {
        Some(filter) => filter.contains(password.expose_secret()),
        None => Ok(false),
    };
    tokio::task::spawn_blocking(look).await.map_err(|_| FilterError::Damaged)?
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
