//! Signing and verifying with the present key ring.

use super::{Claims, KeyRing, SigningError, Verified};
use crate::crypto::verified_cache::VerifiedCache;
use crate::model::time::Time;
use std::sync::{Arc, PoisonError, RwLock};

/// Signs access tokens and verifies them, each token's signature once.
#[derive(Debug)]
pub struct TokenVerifier {
    ring: RwLock<Arc<KeyRing>>,
    cache: VerifiedCache,
    issuer: String,
    audiences: Vec<String>,
}

impl TokenVerifier {
    /// Verified tokens that are kept, as many as there are sessions in memory: some 20 MB when full.
    pub const CACHE_CAPACITY: usize = 128 * 1024;

    /// Accepts tokens of `issuer` for any of `audiences`.
    pub fn new(ring: KeyRing, issuer: &str, audiences: &[String]) -> Self {
        Self {
            ring: RwLock::new(Arc::new(ring)),
            cache: VerifiedCache::new(Self::CACHE_CAPACITY),
            issuer: issuer.to_owned(),
            audiences: audiences.to_vec(),
        }
    }

    /// What a token says, if it is genuine and has not expired; [`KeyRing::verify`] tells what that means.
    pub fn verify(&self, token: &str, now: Time) -> Option<Verified> {
        if token.len() > super::MAX_LEN {
            return None;
        }
        let key = VerifiedCache::key(token);
        if let Some(verified) = self.cache.get(&key, now) {
            return Some(verified);
        }
        // Held until the result is in the cache: else one of a ring just replaced could get in after the clearing.
        let ring = self.ring.read().unwrap_or_else(PoisonError::into_inner);
        let (verified, until) = ring.verify(token, now, &self.issuer, &self.audiences)?;
        self.cache.insert(key, verified, until);
        Some(verified)
    }

    /// Signs with the key that is active now.
    pub fn sign(&self, claims: &Claims<'_>, now: Time) -> Result<String, SigningError> {
        self.ring().sign(claims, now)
    }

    /// The ring in use.
    pub fn ring(&self) -> Arc<KeyRing> {
        self.ring.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes another ring; what only the old one accepted is refused from now on.
    pub fn replace_ring(&self, ring: KeyRing) {
        let mut present = self.ring.write().unwrap_or_else(PoisonError::into_inner);
        if !ring.accepts_all_of(&present) {
            self.cache.clear();
        }
        *present = Arc::new(ring);
    }
}

#[cfg(test)]
#[path = "verifier_tests.rs"]
mod tests;
