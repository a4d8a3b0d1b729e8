//! Breached passwords: an offline list of hundreds of millions of hashes, looked up in microseconds.
//!
//! The operator downloads the list of Have I Been Pwned, sorted SHA-1 hashes, so no lookup goes over the network.
//! [`import`] converts it to a filter in the data directory, a tenth as large. [`Filter`] needs two positioned reads
//! for a lookup and no memory; a new filter takes effect at once.
//!
//! The filter stores a prefix of each hash: the bucket bits and 24 more. A password that is not on the list is rejected
//! with the probability `entries / 2^(bucket bits + 24)`, about one in 260,000. There are no false negatives.

mod filter;
mod format;
mod import;

pub use filter::{Filter, FilterError};
pub use import::{ImportError, ImportSummary, import};

use secrecy::{ExposeSecret, SecretString};
use std::path::{Path, PathBuf};

/// The name of the filter's file in the data directory.
const FILE_NAME: &str = "breached-passwords.filter";

pub fn filter_path(data_dir: &Path) -> PathBuf {
    data_dir.join(FILE_NAME)
}

/// Whether a password is on the imported list; `false` if there is none.
pub async fn contains(data_dir: &Path, password: &SecretString) -> Result<bool, FilterError> {
    let (path, password) = (filter_path(data_dir), password.clone());
    let lookup = move || match Filter::open(&path)? {
        Some(filter) => filter.contains(password.expose_secret()),
        None => Ok(false),
    };
    tokio::task::spawn_blocking(lookup).await.map_err(|_| FilterError::Damaged)?
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
