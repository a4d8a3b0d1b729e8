//! The memory of password hashes, kept for the next ones.
//!
//! Fresh memory costs each hash thousands of page faults. Besides, where glibc allocates, 19 MiB that are given back stay
//! with the heap of the thread that had them: after some minutes of log-ins half a gigabyte lay in such heaps, unused.

use argon2::Block;
use std::collections::TryReserveError;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Pieces of memory that are ready for a hash, each as large as a usual one needs.
pub(super) struct HashMemory {
    usual: usize,
    /// More at once are rare, and give theirs back.
    most: usize,
    free: Mutex<Vec<Vec<Block>>>,
}

impl HashMemory {
    /// For hashes that usually need so many blocks of a KiB, and of which usually at most so many run at once.
    pub(super) const fn new(usual: usize, most: usize) -> Self {
        Self { usual, most, free: Mutex::new(Vec::new()) }
    }

    /// Has this done in so many blocks; what is in them is of no use.
    pub(super) fn lend<T>(&self, blocks: usize, work: impl FnOnce(&mut [Block]) -> T) -> Result<T, TryReserveError> {
        let mut memory = self.free().pop().unwrap_or_default();
        let missing = blocks.saturating_sub(memory.len());
        memory.try_reserve_exact(missing)?;
        memory.resize(blocks.max(memory.len()), Block::new());
        let result = work(&mut memory);
        // A hash with larger parameters than the present ones is rare.
        if memory.len() <= self.usual {
            let mut free = self.free();
            if free.len() < self.most {
                free.push(memory);
            }
        }
        Ok(result)
    }

    fn free(&self) -> MutexGuard<'_, Vec<Vec<Block>>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
#[path = "hash_memory_tests.rs"]
mod tests;
