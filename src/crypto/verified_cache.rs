//! A bounded memory of verified access tokens: a signature costs tens of microseconds, a look-up here one.

use super::access_token::Verified;
use crate::clock::Time;
use crate::recent::Recent;
use aws_lc_rs::digest::{SHA256, digest};
use std::fmt;

/// A token's SHA-256: nobody can find a token that is taken for another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CacheKey([u8; 32]);

#[derive(Clone, Copy)]
struct Entry {
    verified: Verified,
    until: Time,
}

/// Verified tokens, each until it expires, at most `capacity` of them.
pub struct VerifiedCache(Recent<CacheKey, Entry>);

impl VerifiedCache {
    /// A cache for `capacity` tokens, rounded up to a multiple of 32.
    pub fn new(capacity: usize) -> Self {
        Self(Recent::new(capacity))
    }

    /// The key of a token.
    pub fn key(token: &str) -> CacheKey {
        let mut key = [0; 32];
        key.copy_from_slice(digest(&SHA256, token.as_bytes()).as_ref());
        CacheKey(key)
    }

    /// What was found out about a token, if that still holds at `now`.
    pub fn get(&self, key: &CacheKey, now: Time) -> Option<Verified> {
        self.0.get(key, |entry| (now < entry.until).then_some(entry.verified))
    }

    /// Keeps what was found out about a token, to be believed until `until`.
    pub fn insert(&self, key: CacheKey, verified: Verified, until: Time) {
        self.0.insert(key, Entry { verified, until });
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.0.clear();
    }

    /// How many tokens are kept.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none is kept.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for VerifiedCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VerifiedCache").field("len", &self.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "verified_cache_tests.rs"]
mod tests;
