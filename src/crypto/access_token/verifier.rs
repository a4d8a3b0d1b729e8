//! Signing and verification with the current key ring.

use super::{Claims, KeyRing, SigningError, VerifiedToken};
use crate::crypto::verified_cache::VerifiedCache;
use crate::model::time::Time;
use std::sync::{Arc, PoisonError, RwLock};

/// Signs access tokens and verifies them, with a cache of verified tokens.
#[derive(Debug)]
pub struct TokenVerifier {
    ring: RwLock<Arc<KeyRing>>,
    cache: VerifiedCache,
    issuer: String,
    audiences: Vec<String>,
}

impl TokenVerifier {
    /// Capacity of the cache, the same as of the session cache: about 20 MB when full.
    pub const CACHE_CAPACITY: usize = 128 * 1024;

    /// Creates a verifier that accepts tokens of `issuer` for any of `audiences`.
    pub fn new(ring: KeyRing, issuer: &str, audiences: &[String]) -> Self {
        Self {
            ring: RwLock::new(Arc::new(ring)),
            cache: VerifiedCache::new(Self::CACHE_CAPACITY),
            issuer: issuer.to_owned(),
            audiences: audiences.to_vec(),
        }
    }

    /// Returns the claims of a valid token, by the rules of [`KeyRing::verify`].
    pub fn verify(&self, token: &str, now: Time) -> Option<VerifiedToken> {
        if token.len() > super::MAX_LEN {
            return None;
        }
        let key = VerifiedCache::key(token);
        if let Some(verified) = self.cache.get(&key, now) {
            return Some(verified);
        }
        // Held until the result is cached: otherwise a result of a replaced ring could be inserted after `clear`.
        let ring = self.ring.read().unwrap_or_else(PoisonError::into_inner);
        let (verified, until) = ring.verify(token, now, &self.issuer, &self.audiences)?;
        self.cache.insert(key, verified, until);
        Some(verified)
    }

    /// Signs with the active key.
    pub fn sign(&self, claims: &Claims<'_>, now: Time) -> Result<String, SigningError> {
        self.ring().sign(claims, now)
    }

    /// The current ring.
    pub fn ring(&self) -> Arc<KeyRing> {
        self.ring.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the ring, and invalidates the cache if the new one rejects tokens that the old one accepted.
    pub fn replace_ring(&self, ring: KeyRing) {
        let mut current = self.ring.write().unwrap_or_else(PoisonError::into_inner);
        if !ring.accepts_all_keys_of(&current) {
            self.cache.clear();
        }
        *current = Arc::new(ring);
    }
}

#[cfg(test)]
#[path = "verifier_tests.rs"]
mod tests;
