//! Request ids (docs/protocol.md 16.2).

use std::sync::atomic::{AtomicU64, Ordering};

/// The id of a request, in `X-Request-Id` and in every log line about it.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestId(u64);

impl RequestId {
    /// Unique in the process; the random start makes collisions between processes unlikely.
    pub fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut id = NEXT.fetch_add(1, Ordering::Relaxed);
        if id == 0 {
            let start = crate::random::bytes().map_or(1, u64::from_le_bytes) >> 1;
            NEXT.store(start + 1, Ordering::Relaxed);
            id = start;
        }
        Self(id)
    }
}

impl std::fmt::Display for RequestId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
