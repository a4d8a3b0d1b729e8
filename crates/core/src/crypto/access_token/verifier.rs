//! Signing and verification with the current key ring.

use super::{AssertionClaims, Claims, KeyRing, SigningError, VerifiedToken};
use crate::crypto::verified_cache::VerifiedCache;
use crate::model::time::Time;
use parking_lot::RwLock;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Signs access tokens and verifies them, with a cache of verified tokens.
#[derive(Debug)]
pub struct TokenVerifier {
    ring: RwLock<Arc<KeyRing>>,
    cache: VerifiedCache,
    issuer: String,
    audiences: Vec<String>,
    verifications: AtomicU64,
}

/// How many tokens of one request are verified: a browser sends one, or two while it replaces the first.
const MAX_CANDIDATES: usize = 4;

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
            verifications: AtomicU64::new(0),
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
        let ring = self.ring.read();
        self.verifications.fetch_add(1, Ordering::Relaxed);
        let (verified, until) = ring.verify(token, now, &self.issuer, &self.audiences)?;
        self.cache.insert(key, verified, until);
        Some(verified)
    }

    /// The valid ones among the tokens of one request, in order. Verifies at most four, counted after the cheap checks and
    /// without copies: a verification takes tens of microseconds, and a request may carry hundreds of tokens.
    pub fn verify_some<'a>(
        &self,
        tokens: impl Iterator<Item = &'a str>,
        now: Time,
    ) -> impl Iterator<Item = VerifiedToken> {
        self.candidates(tokens, now).take(MAX_CANDIDATES).filter_map(move |token| self.verify(token, now))
    }

    /// Whether a request has more tokens than [`TokenVerifier::verify_some`] looks at.
    pub fn leaves_some_out<'a>(&self, tokens: impl Iterator<Item = &'a str>, now: Time) -> bool {
        self.candidates(tokens, now).nth(MAX_CANDIDATES).is_some()
    }

    /// The plausible tokens, without copies of those that are verified.
    fn candidates<'a>(&self, tokens: impl Iterator<Item = &'a str>, now: Time) -> impl Iterator<Item = &'a str> {
        let plausible = move |token: &&str| {
            let ring = self.ring.read();
            ring.is_plausible(token, now)
        };
        let mut seen = [""; MAX_CANDIDATES];
        tokens.filter(plausible).filter(move |token| {
            let is_new = !seen.contains(token);
            if is_new && let Some(free) = seen.iter_mut().find(|seen| seen.is_empty()) {
                *free = token;
            }
            is_new
        })
    }

    /// How many tokens were verified without the cache since the start.
    pub fn verifications(&self) -> u64 {
        self.verifications.load(Ordering::Relaxed)
    }

    pub fn sign(&self, claims: &Claims<'_>, now: Time) -> Result<String, SigningError> {
        self.ring().sign(claims, now)
    }

    /// Signs an assertion with the active key; `None` with shared keys.
    pub fn sign_assertion(&self, claims: &AssertionClaims<'_>, now: Time) -> Result<Option<String>, SigningError> {
        self.ring().sign_assertion(claims, now)
    }

    pub fn ring(&self) -> Arc<KeyRing> {
        self.ring.read().clone()
    }

    /// Replaces the ring, and invalidates the cache if the new one rejects tokens that the old one accepted.
    pub fn replace_ring(&self, ring: KeyRing) {
        let mut current = self.ring.write();
        if !ring.accepts_all_keys_of(&current) {
            self.cache.clear();
        }
        *current = Arc::new(ring);
    }
}

#[cfg(test)]
#[path = "verifier_tests.rs"]
mod tests;
