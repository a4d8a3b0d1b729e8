//! A pool of memory buffers that password hashes reuse.
//!
//! A fresh allocation costs each hash thousands of page faults. Besides, glibc keeps 19 MiB that are freed in the arena
//! of the thread that used them: after some minutes of logins half a gigabyte lay unused in such arenas.

use argon2::Block;
use parking_lot::{Mutex, MutexGuard};
use std::collections::TryReserveError;

/// Free buffers, each large enough for a hash with the current parameters.
pub(super) struct HashMemory {
    usual_blocks: usize,
    /// Buffers beyond this number are freed after use.
    max_free: usize,
    free: Mutex<Vec<Vec<Block>>>,
}

impl HashMemory {
    /// Keeps at most `max_free` buffers of at most `usual_blocks` blocks of 1 KiB.
    pub(super) const fn new(usual_blocks: usize, max_free: usize) -> Self {
        Self { usual_blocks, max_free, free: Mutex::new(Vec::new()) }
    }

    /// Calls `work` with a buffer of at least `blocks` blocks, whose contents are unspecified.
    pub(super) fn with_blocks<T>(
        &self,
        blocks: usize,
        work: impl FnOnce(&mut [Block]) -> T,
    ) -> Result<T, TryReserveError> {
        let mut memory = self.free().pop().unwrap_or_default();
        let missing = blocks.saturating_sub(memory.len());
        memory.try_reserve_exact(missing)?;
        memory.resize(blocks.max(memory.len()), Block::new());
        let result = work(&mut memory);
        // Hashes with larger parameters than the current ones are rare.
        if memory.len() <= self.usual_blocks {
            let mut free = self.free();
            if free.len() < self.max_free {
                free.push(memory);
            }
        }
        Ok(result)
    }

    fn free(&self) -> MutexGuard<'_, Vec<Vec<Block>>> {
        self.free.lock()
    }
}

#[cfg(test)]
#[path = "hash_memory_tests.rs"]
mod tests;
