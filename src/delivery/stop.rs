//! The signal that ends all tasks of the pool.

use tokio::sync::watch;

/// Gives the signal; all waiting ends too when it is dropped.
pub(super) struct Stopper(watch::Sender<bool>);

/// Waits for the signal.
#[derive(Clone)]
pub(super) struct Stop(watch::Receiver<bool>);

pub(super) fn channel() -> (Stopper, Stop) {
    let (sender, receiver) = watch::channel(false);
    (Stopper(sender), Stop(receiver))
}

impl Stopper {
    pub(super) fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Stop {
    /// Whether the signal was given.
    pub(super) fn is_given(&self) -> bool {
        *self.0.borrow() || self.0.has_changed().is_err()
    }

    /// Returns when the signal is given.
    pub(super) async fn given(&mut self) {
        // An error means that the sender is gone, which is a signal too.
        let _ = self.0.wait_for(|stop| *stop).await;
    }

    /// Waits for `duration`, or less if the signal is given.
    pub(super) async fn sleep(&mut self, duration: std::time::Duration) {
        tokio::select! {
            () = self.given() => {}
            () = tokio::time::sleep(duration) => {}
        }
    }
}
