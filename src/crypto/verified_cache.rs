//! A bounded memory of verified access tokens: a signature costs tens of microseconds, a look-up here one.

use super::access_token::Verified;
use crate::clock::Time;
use aws_lc_rs::digest::{SHA256, digest};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

const SHARDS: usize = 16;

/// A token's SHA-256: nobody can find a token that is taken for another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CacheKey([u8; 32]);

#[derive(Clone, Copy)]
struct Entry {
    verified: Verified,
    until: Time,
}

/// Two generations: new and used entries are in the young one; when it is full it becomes the old one, and what was
/// in the old one unused since is forgotten.
#[derive(Default)]
struct Shard {
    young: HashMap<CacheKey, Entry>,
    old: HashMap<CacheKey, Entry>,
}

impl Shard {
    fn get(&mut self, key: &CacheKey, generation_size: usize) -> Option<Entry> {
        if let Some(entry) = self.young.get(key) {
            return Some(*entry);
        }
        let entry = self.old.remove(key)?;
        self.insert(*key, entry, generation_size);
        Some(entry)
    }

    fn insert(&mut self, key: CacheKey, entry: Entry, generation_size: usize) {
        if self.young.len() >= generation_size {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, entry);
    }

    fn remove(&mut self, key: &CacheKey) {
        self.young.remove(key);
        self.old.remove(key);
    }
}

/// Verified tokens, each until it expires, at most `capacity` of them.
pub struct VerifiedCache {
    shards: [Mutex<Shard>; SHARDS],
    generation_size: usize,
}

impl VerifiedCache {
    /// A cache for `capacity` tokens, rounded up to a multiple of 32.
    pub fn new(capacity: usize) -> Self {
        Self { shards: Default::default(), generation_size: capacity.div_ceil(SHARDS * 2).max(1) }
    }

    /// The key of a token.
    pub fn key(token: &str) -> CacheKey {
        let mut key = [0; 32];
        key.copy_from_slice(digest(&SHA256, token.as_bytes()).as_ref());
        CacheKey(key)
    }

    /// What was found out about a token, if that still holds at `now`.
    pub fn get(&self, key: &CacheKey, now: Time) -> Option<Verified> {
        let mut shard = self.shard(key);
        let entry = shard.get(key, self.generation_size)?;
        if now < entry.until {
            return Some(entry.verified);
        }
        shard.remove(key);
        None
    }

    /// Keeps what was found out about a token, to be believed until `until`.
    pub fn insert(&self, key: CacheKey, verified: Verified, until: Time) {
        self.shard(&key).insert(key, Entry { verified, until }, self.generation_size);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for shard in &self.shards {
            *lock(shard) = Shard::default();
        }
    }

    /// How many tokens are kept.
    pub fn len(&self) -> usize {
        self.shards.iter().map(lock).map(|shard| shard.young.len() + shard.old.len()).sum()
    }

    /// Whether none is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn shard(&self, key: &CacheKey) -> MutexGuard<'_, Shard> {
        lock(&self.shards[usize::from(key.0[0]) % SHARDS])
    }
}

/// A panic while the lock is held leaves at worst an entry out.
fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for VerifiedCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VerifiedCache").field("len", &self.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "verified_cache_tests.rs"]
mod tests;
