//! Password hashing beside the requests: a bounded number at once, with a bounded line.
//!
//! Each hash takes a core for its whole time and tens of megabytes; without a bound a burst of log-ins would stop
//! every other request and could exhaust the memory. Hashes run on threads of their own, which step back for everything
//! else.

use super::hashing_threads::{HashingThreads, Job};
use super::password::{PasswordError, PasswordHasher, Verified};
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::{Instant, sleep_until};

/// Where the threads began no hash for so long, which is several times what one takes, who has waited as long has it done
/// at the priority of everything else: other work that leaves them nothing must not bring log-ins to a halt.
const PATIENCE: Duration = Duration::from_millis(100);

/// Why a password was not hashed or checked.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum HashingError {
    /// The line is full; try again later.
    #[error("too many callers wait for a password hash")]
    Busy,
    /// The hash itself failed.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// The process is shutting down.
    #[error("password hashing has stopped")]
    Stopped,
}

/// A [`PasswordHasher`] behind a queue.
#[derive(Debug)]
pub struct HashingPool {
    hasher: Arc<PasswordHasher>,
    /// A permit for each caller inside, running or waiting.
    line: Arc<Semaphore>,
    /// A permit for each hash that runs, and some for the next ones, so that no thread waits for them; served in the
    /// order of arrival.
    running: Arc<Semaphore>,
    threads: HashingThreads,
}

impl HashingPool {
    /// At most `permits` hashes run at the same time (as many as there are cores; half as many more while other work
    /// leaves them nothing), and at most `waiting_limit` callers wait for their turn. Fails if the operating system gives
    /// no threads.
    pub fn new(hasher: PasswordHasher, permits: usize, waiting_limit: usize) -> std::io::Result<Self> {
        let permits = permits.clamp(1, Semaphore::MAX_PERMITS / 2);
        let inside = permits.saturating_add(waiting_limit).min(Semaphore::MAX_PERMITS);
        Ok(Self {
            hasher: Arc::new(hasher),
            line: Arc::new(Semaphore::new(inside)),
            running: Arc::new(Semaphore::new(permits + permits.div_ceil(2))),
            threads: HashingThreads::start(permits)?,
        })
    }

    /// The PHC string of a password.
    pub async fn hash(&self, password: SecretString) -> Result<String, HashingError> {
        self.run(move |hasher| hasher.hash(password.expose_secret())).await
    }

    /// Checks a password against a stored PHC string; `None`, for a user who does not exist or has no password, costs
    /// the same and is never right.
    pub async fn verify(&self, password: SecretString, stored: Option<String>) -> Result<Verified, HashingError> {
        self.run(move |hasher| hasher.verify(password.expose_secret(), stored.as_deref())).await
    }

    /// How many verifications were done, dummies included.
    pub fn verifications(&self) -> u64 {
        self.hasher.verifications()
    }

    /// A caller who is dropped while waiting leaves the line; work that has begun keeps its permits to its end, as it
    /// keeps its core.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&PasswordHasher) -> Result<T, PasswordError> + Send + 'static,
    ) -> Result<T, HashingError> {
        let arrived = Instant::now();
        let inside = self.line.clone().try_acquire_owned().map_err(|_| HashingError::Busy)?;
        let permit = self.running.clone().acquire_owned().await.map_err(|_| HashingError::Stopped)?;
        let hasher = self.hasher.clone();
        let (answer, mut result) = oneshot::channel();
        let job = Job::new(move || {
            // Dropped before the caller hears of the end, also where the work panics.
            let permits = (permit, inside);
            let result = work(&hasher);
            drop(permits);
            // Nobody may be waiting any more.
            let _ = answer.send(result);
        });
        self.threads.run(job.clone());
        let result = tokio::select! {
            biased;
            result = &mut result => result,
            () = self.standstill(arrived) => {
                // Does nothing where a thread has begun it.
                tokio::task::spawn_blocking(move || job.run());
                result.await
            }
        };
        Ok(result.map_err(|_| HashingError::Stopped)??)
    }

    /// Returns once somebody who came at `arrived` has waited, and the threads have begun nothing, for as long as our
    /// patience lasts.
    async fn standstill(&self, arrived: Instant) {
        loop {
            let patient_until = self.threads.last_began().max(arrived) + PATIENCE;
            if Instant::now() >= patient_until {
                return;
            }
            sleep_until(patient_until).await;
        }
    }
}

#[cfg(test)]
#[path = "hashing_pool_tests.rs"]
mod tests;
