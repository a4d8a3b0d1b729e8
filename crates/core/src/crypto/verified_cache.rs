//! A bounded cache of verified access tokens: verifying a signature takes tens of microseconds, a lookup one.

use super::access_token::VerifiedToken;
use crate::model::time::Time;
use aws_lc_rs::digest::{SHA256, digest};
use quick_cache::sync::Cache;
use std::fmt;

/// The SHA-256 of a token: collision resistant, so no token is mistaken for another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CacheKey([u8; 32]);

#[derive(Clone, Copy)]
struct Entry {
    verified: VerifiedToken,
    valid_until: Time,
}

/// Verified tokens until they expire. Entries that were not used recently are evicted first.
pub struct VerifiedCache(Cache<CacheKey, Entry>);

impl VerifiedCache {
    /// Creates a cache for about `capacity` tokens.
    pub fn new(capacity: usize) -> Self {
        Self(Cache::new(capacity))
    }

    pub fn key(token: &str) -> CacheKey {
        let mut key = [0; 32];
        key.copy_from_slice(digest(&SHA256, token.as_bytes()).as_ref());
        CacheKey(key)
    }

    /// Returns the cached token if it is valid at `now`.
    pub fn get(&self, key: &CacheKey, now: Time) -> Option<VerifiedToken> {
        self.0.get(key).filter(|entry| now < entry.valid_until).map(|entry| entry.verified)
    }

    pub fn insert(&self, key: CacheKey, verified: VerifiedToken, valid_until: Time) {
        self.0.insert(key, Entry { verified, valid_until });
    }

    pub fn clear(&self) {
        self.0.clear();
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

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
