//! Locks of the shared state.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, ignoring poison: no holder leaves its data inconsistent.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
