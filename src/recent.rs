//! A bounded memory of what was needed lately, for many threads.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

const SHARDS: usize = 16;

/// At most `capacity` values under their keys; what was not asked for lately goes first.
pub struct Recent<K, V> {
    shards: [Mutex<Shard<K, V>>; SHARDS],
    spread: RandomState,
    generation_size: usize,
}

/// Two generations: new and used entries are in the young one; when it is full it becomes the old one, and what was
/// in the old one unused since is forgotten.
struct Shard<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
}

impl<K, V> Default for Shard<K, V> {
    fn default() -> Self {
        Self { young: HashMap::new(), old: HashMap::new() }
    }
}

impl<K: Eq + Hash, V> Shard<K, V> {
    fn insert(&mut self, key: K, value: V, generation_size: usize) {
        if self.young.len() >= generation_size {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, value);
    }
}

impl<K: Eq + Hash, V> Recent<K, V> {
    /// An empty memory; `capacity` is rounded up to a multiple of 32.
    pub fn new(capacity: usize) -> Self {
        Self {
            shards: std::array::from_fn(|_| Mutex::default()),
            spread: RandomState::new(),
            generation_size: capacity.div_ceil(SHARDS * 2).max(1),
        }
    }

    /// What `take` makes of the value under a key; where it makes nothing of it, the value is forgotten.
    pub fn get<T>(&self, key: &K, take: impl FnOnce(&V) -> Option<T>) -> Option<T> {
        let mut shard = self.shard(key);
        if let Some(value) = shard.young.get(key) {
            let taken = take(value);
            if taken.is_none() {
                shard.young.remove(key);
            }
            return taken;
        }
        let (key, value) = shard.old.remove_entry(key)?;
        let taken = take(&value)?;
        shard.insert(key, value, self.generation_size);
        Some(taken)
    }

    /// Keeps a value, in place of the one under the same key.
    pub fn insert(&self, key: K, value: V) {
        let mut shard = self.shard(&key);
        shard.old.remove(&key);
        shard.insert(key, value, self.generation_size);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for shard in &self.shards {
            *lock(shard) = Shard::default();
        }
    }

    /// How many values are kept.
    pub fn len(&self) -> usize {
        self.shards.iter().map(lock).map(|shard| shard.young.len() + shard.old.len()).sum()
    }

    /// Whether none is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn shard(&self, key: &K) -> MutexGuard<'_, Shard<K, V>> {
        let hash = self.spread.hash_one(key);
        lock(&self.shards[usize::from(hash.to_le_bytes()[0]) % SHARDS])
    }
}

/// A panic while the lock is held leaves at worst an entry out.
fn lock<K, V>(shard: &Mutex<Shard<K, V>>) -> MutexGuard<'_, Shard<K, V>> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}
