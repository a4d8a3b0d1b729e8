//! The stored form of a random value that a process with another key must find, too.

use super::token_hash::LinkToken;
use aws_lc_rs::digest;

impl LinkToken {
    /// The hash of a token's text, without a key: 256 random bits cannot be guessed.
    pub fn hash_without_key(text: &str) -> [u8; 32] {
        let mut hash = [0; 32];
        hash.copy_from_slice(digest::digest(&digest::SHA256, text.as_bytes()).as_ref());
        hash
    }
}
