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
mod import;

pub use filter::{Filter, FilterError};
pub use import::{ImportError, Imported, import};

use secrecy::{ExposeSecret, SecretString};
use std::path::{Path, PathBuf};

/// The filter's file in the data directory.
const FILE: &str = "breached-passwords.filter";

/// Begins the file; the digit is the format's version.
const MAGIC: [u8; 8] = *b"DWPWNED1";
/// Magic, bucket bits, entries, lines read; each eight bytes.
const HEADER: u64 = 32;
/// Of an index entry: the number of entries before a bucket.
const INDEX_ENTRY: u64 = 8;
/// Of an entry: the bits of the hash after those that chose the bucket.
const ENTRY: u64 = 3;

/// Where an entry belongs: its bucket, and what is stored of it.
fn place(hash: [u8; 20], bucket_bits: u32) -> (u64, [u8; 3]) {
    let head = hash.iter().take(8).fold(0, |head: u64, byte| head << 8 | u64::from(*byte));
    let bucket = head >> (64 - bucket_bits);
    let [.., high, middle, low] = (head << bucket_bits >> 40).to_be_bytes();
    (bucket, [high, middle, low])
}

/// Where the entries begin.
const fn entries_at(bucket_bits: u32) -> u64 {
    HEADER + ((1 << bucket_bits) + 1) * INDEX_ENTRY
}

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
