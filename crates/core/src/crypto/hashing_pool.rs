//! A password hashing pool with bounded concurrency and a bounded queue.
//!
//! Each hash occupies a core and tens of megabytes; without a bound a burst of logins would stall every other request
//! and could exhaust the memory. Hashes run on dedicated low-priority threads.

use super::hashing_shares::{Requester, Shares};
use super::hashing_threads::{HashingThreads, Job};
use super::password::{PasswordError, PasswordHasher, PasswordMatch};
use crate::metrics::PasswordMetrics;
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{Instant, sleep_until};

/// When the low-priority threads have started no hash for this time, several times the duration of one, a caller that
/// has waited as long runs its hash at normal priority: other load must not starve logins.
const STALL_TIMEOUT: Duration = Duration::from_millis(100);

/// Why a password was not hashed or checked.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum HashingError {
    /// The queue is full, or the share of the account or the site; retry later.
    #[error("too many callers wait for a password hash")]
    Busy,
    #[error(transparent)]
    Password(#[from] PasswordError),
    #[error("password hashing has stopped")]
    Stopped,
}

/// A [`PasswordHasher`] behind a queue.
#[derive(Debug)]
pub struct HashingPool {
    hasher: Arc<PasswordHasher>,
    /// A permit for each caller, running or waiting.
    admission: Arc<Semaphore>,
    /// A permit for each hash that runs, and some extra so that no thread idles between hashes; first come, first
    /// served.
    running: Arc<Semaphore>,
    /// How many callers may wait for one account or from one site; `None` if any number may.
    shares: Option<Shares>,
    threads: HashingThreads,
    metrics: PasswordMetrics,
}

impl HashingPool {
    /// Creates a pool that runs at most `permits` hashes at the same time (usually one for each core; half as many more
    /// while other load starves the threads) and queues at most `waiting_limit` callers, a quarter of them for one
    /// account or from one site if `shared`. Fails if no thread can be spawned.
    pub fn new(
        hasher: PasswordHasher,
        permits: usize,
        waiting_limit: usize,
        shared: bool,
        metrics: PasswordMetrics,
    ) -> std::io::Result<Self> {
        let permits = permits.clamp(1, Semaphore::MAX_PERMITS / 2);
        let admitted = permits.saturating_add(waiting_limit).min(Semaphore::MAX_PERMITS);
        Ok(Self {
            hasher: Arc::new(hasher),
            admission: Arc::new(Semaphore::new(admitted)),
            running: Arc::new(Semaphore::new(permits + permits.div_ceil(2))),
            shares: shared.then(|| Shares::new(waiting_limit.div_ceil(4))),
            threads: HashingThreads::start(permits)?,
            metrics,
        })
    }

    /// Hashes a password; returns its PHC string.
    pub async fn hash(&self, password: SecretString, requester: Requester) -> Result<String, HashingError> {
        self.run(requester, move |hasher| hasher.hash(password.expose_secret())).await
    }

    /// Verifies a password against a stored PHC string. `None`, for a user that does not exist or has no password,
    /// takes the same time and never matches, so timing does not enable account enumeration.
    pub async fn verify(
        &self,
        password: SecretString,
        stored: Option<String>,
        requester: Requester,
    ) -> Result<PasswordMatch, HashingError> {
        self.run(requester, move |hasher| hasher.verify(password.expose_secret(), stored.as_deref())).await
    }

    /// The number of verifications so far, dummies included.
    pub fn verifications(&self) -> u64 {
        self.hasher.verifications()
    }

    /// Dropping the future dequeues a waiting caller; work that has started keeps its permits until it ends, as it
    /// keeps its core.
    async fn run<T: Send + 'static>(
        &self,
        requester: Requester,
        work: impl FnOnce(&PasswordHasher) -> Result<T, PasswordError> + Send + 'static,
    ) -> Result<T, HashingError> {
        let arrived = Instant::now();
        let admitted = self.admission.clone().try_acquire_owned().map_err(|_| HashingError::Busy)?;
        let waiting = self.metrics.wait();
        let permit = self.permit(requester).await?;
        let hasher = self.hasher.clone();
        let (sender, mut result) = oneshot::channel();
        let job = Job::new(move || {
            // Released before the caller sees the result, and also when the work panics.
            let permits = (permit, admitted, waiting.begin());
            let result = work(&hasher);
            drop(permits);
            // The caller may have been dropped.
            let _ = sender.send(result);
        });
        self.threads.submit(job.clone());
        let result = tokio::select! {
            biased;
            result = &mut result => result,
            () = self.wait_for_stall(arrived) => {
                // A no-op if a thread has started the job.
                tokio::task::spawn_blocking(move || job.run());
                result.await
            }
        };
        Ok(result.map_err(|_| HashingError::Stopped)??)
    }

    /// Waits for a permit, in a place of the requester's share.
    async fn permit(&self, requester: Requester) -> Result<OwnedSemaphorePermit, HashingError> {
        if let Ok(permit) = self.running.clone().try_acquire_owned() {
            return Ok(permit);
        }
        let _place = match &self.shares {
            Some(shares) => Some(shares.take(requester).ok_or(HashingError::Busy)?),
            None => None,
        };
        self.running.clone().acquire_owned().await.map_err(|_| HashingError::Stopped)
    }

    /// Returns once the caller has waited since `arrived`, and the threads have started no job, for [`STALL_TIMEOUT`].
    async fn wait_for_stall(&self, arrived: Instant) {
        loop {
            let deadline = self.threads.last_started().max(arrived) + STALL_TIMEOUT;
            if Instant::now() >= deadline {
                return;
            }
            sleep_until(deadline).await;
        }
    }
}

#[cfg(test)]
#[path = "hashing_pool_tests.rs"]
mod tests;
