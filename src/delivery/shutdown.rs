//! The shutdown signal of a channel's tasks.

use tokio::sync::watch;

/// Sends the signal; dropping it is a signal too.
pub(super) struct ShutdownTrigger(watch::Sender<bool>);

#[derive(Clone)]
pub(super) struct Shutdown(watch::Receiver<bool>);

pub(super) fn channel() -> (ShutdownTrigger, Shutdown) {
    let (sender, receiver) = watch::channel(false);
    (ShutdownTrigger(sender), Shutdown(receiver))
}

impl ShutdownTrigger {
    pub(super) fn trigger(&self) {
        self.0.send_replace(true);
    }
}

impl Shutdown {
    pub(super) fn is_requested(&self) -> bool {
        *self.0.borrow() || self.0.has_changed().is_err()
    }

    pub(super) async fn requested(&mut self) {
        // An error means that the sender was dropped.
        let _ = self.0.wait_for(|requested| *requested).await;
    }

    /// Waits for `duration`, or until the signal.
    pub(super) async fn sleep(&mut self, duration: std::time::Duration) {
        tokio::select! {
            () = self.requested() => {}
            () = tokio::time::sleep(duration) => {}
        }
    }
}
