//! A bounded memory of verified access tokens: a signature costs tens of microseconds, a look-up here one.

use super::access_token::Verified;
use crate::model::time::Time;
use aws_lc_rs::digest::{SHA256, digest};
use quick_cache::sync::Cache;
use std::fmt;

/// A token's SHA-256: nobody can find a token that is taken for another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CacheKey([u8; 32]);

#[derive(Clone, Copy)]
struct Entry {
    verified: Verified,
    until: Time,
}

/// Verified tokens, each believed until it expires; what was not asked for lately makes room.
pub struct VerifiedCache(Cache<CacheKey, Entry>);

impl VerifiedCache {
    /// A cache for some `capacity` tokens.
    pub fn new(capacity: usize) -> Self {
        Self(Cache::new(capacity))
    }

    /// The key of a token.
    pub fn key(token: &str) -> CacheKey {
        let mut key = [0; 32];
        key.copy_from_slice(digest(&SHA256, token.as_bytes()).as_ref());
        CacheKey(key)
    }

    /// What was found out about a token, if that still holds at `now`.
    pub fn get(&self, key: &CacheKey, now: Time) -> Option<Verified> {
        self.0.get(key).filter(|entry| now < entry.until).map(|entry| entry.verified)
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
