//! While the server cannot be reached, one task tries to reconnect, and all who need a connection wait for it.

use crate::store::waiter::Waiter;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// The attempts of a process to reach its server again.
#[derive(Default)]
pub(super) struct Reconnect {
    is_trying: AtomicBool,
    waiting: AtomicUsize,
    returned: Notify,
}

/// One task tries, until this is dropped.
pub(super) struct Trying<'a>(&'a AtomicBool);

impl Drop for Trying<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

impl Reconnect {
    /// Until a connection becomes idle; once enabled, it misses none.
    pub(super) fn returned(&self) -> Notified<'_> {
        self.returned.notified()
    }

    /// Tells who waits that a connection is idle.
    pub(super) fn notify(&self) {
        if self.is_awaited() {
            self.returned.notify_waiters();
        }
    }

    /// Waits for a connection that becomes idle, and begins to try meanwhile, unless a task does.
    pub(super) async fn wait(&self, returned: Pin<&mut Notified<'_>>, begin: impl FnOnce()) {
        let _waiting = Waiter::begin(&self.waiting);
        if !self.is_trying.swap(true, Ordering::SeqCst) {
            begin();
        }
        returned.await;
    }

    /// What the task that tries holds.
    pub(super) const fn trying(&self) -> Trying<'_> {
        Trying(&self.is_trying)
    }

    pub(super) fn is_awaited(&self) -> bool {
        self.waiting.load(Ordering::SeqCst) > 0
    }
}
