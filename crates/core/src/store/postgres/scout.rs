//! While the server cannot be reached, one task tries to connect, and who waits for a connection waits for that one.

use super::connections::{ACQUIRE_TIMEOUT, Connections, RETRY_INTERVAL};
use crate::store::waiter::Waiter;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use tokio::time::{Instant, sleep};

/// The attempts of a process to reach its server again.
#[derive(Default)]
pub(super) struct Scout {
    is_trying: AtomicBool,
    waiting: AtomicUsize,
    returned: Notify,
}

/// One task tries, until this is dropped.
struct Trying<'a>(&'a AtomicBool);

impl Drop for Trying<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

impl Scout {
    /// Until a connection becomes idle; once enabled, it misses none.
    pub(super) fn returned(&self) -> Notified<'_> {
        self.returned.notified()
    }

    /// Tells who waits that a connection is idle.
    pub(super) fn tell(&self) {
        if self.waiting.load(Ordering::SeqCst) > 0 {
            self.returned.notify_waiters();
        }
    }

    /// Waits for a connection that becomes idle, and has it made meanwhile.
    pub(super) async fn wait(&self, connections: &Arc<Connections>, returned: Pin<&mut Notified<'_>>) {
        let _waiting = Waiter::begin(&self.waiting);
        if !self.is_trying.swap(true, Ordering::SeqCst) {
            tokio::spawn(try_again(connections.clone()));
        }
        returned.await;
    }
}

/// Tries to connect as long as anybody waits. An attempt goes on for longer: of several hosts, the last may answer.
async fn try_again(connections: Arc<Connections>) {
    let scout = &connections.scout;
    let _trying = Trying(&scout.is_trying);
    while scout.waiting.load(Ordering::SeqCst) > 0 {
        if let Ok(opened) = connections.try_to_connect(Instant::now() + ACQUIRE_TIMEOUT).await {
            return connections.keep(opened);
        }
        sleep(RETRY_INTERVAL).await;
    }
}
