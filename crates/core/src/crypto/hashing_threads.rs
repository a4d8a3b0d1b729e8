//! Low-priority threads for password hashing, one for each hash that may run at the same time.
//!
//! A hash occupies a core for some 15 ms. At normal priority a request that arrives meanwhile waits several time slices
//! until the scheduler preempts the hash. On Linux the threads therefore run under `SCHED_IDLE` (sched(7)), which any
//! thread that wakes up preempts at once; elsewhere they run at normal priority.

use parking_lot::Mutex;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;
use tokio::time::Instant;

/// A job that runs at most once: of its clones, the first to be run executes it.
#[derive(Clone)]
pub(super) struct Job(Arc<Mutex<Option<JobFn>>>);

type JobFn = Box<dyn FnOnce() + Send>;

impl Job {
    /// Creates a job that has not started.
    pub(super) fn new(work: impl FnOnce() + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(Some(Box::new(work)))))
    }

    /// Runs the job unless a clone was run before.
    pub(super) fn run(self) {
        let work = self.0.lock().take();
        if let Some(work) = work {
            work();
        }
    }
}

/// A thread pool with a FIFO queue. The threads finish the queued jobs and exit once this is dropped.
#[derive(Debug)]
pub(super) struct HashingThreads {
    queue: Sender<Job>,
    last_started: Arc<Mutex<Instant>>,
}

impl HashingThreads {
    pub(super) fn start(count: usize) -> std::io::Result<Self> {
        let (sender, receiver) = channel();
        let queue = Arc::new(Mutex::new(receiver));
        let last_started = Arc::new(Mutex::new(Instant::now()));
        for number in 0..count {
            let (queue, last_started) = (queue.clone(), last_started.clone());
            Builder::new().name(format!("hashing-{number}")).spawn(move || {
                lower_priority();
                run_jobs(&queue, &last_started);
            })?;
        }
        Ok(Self { queue: sender, last_started })
    }

    pub(super) fn submit(&self, job: Job) {
        // The threads outlive this sender, so the receiver exists.
        let _ = self.queue.send(job);
    }

    /// When a thread last started a job.
    pub(super) fn last_started(&self) -> Instant {
        *self.last_started.lock()
    }
}

fn run_jobs(queue: &Mutex<Receiver<Job>>, last_started: &Mutex<Instant>) {
    loop {
        // The lock is held while waiting: the other threads wait for the lock instead.
        let next = queue.lock().recv();
        let Ok(job) = next else { return };
        *last_started.lock() = Instant::now();
        // The caller sees a panic as a dropped sender; the thread goes on with the next job.
        if catch_unwind(AssertUnwindSafe(|| job.run())).is_err() {
            tracing::error!(target: "doorward::crypto::hashing_threads", "the computation of a password hash panicked");
        }
    }
}

#[cfg(target_os = "linux")]
fn lower_priority() {
    use thread_priority::{
        NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy,
        thread_native_id,
    };
    let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
    if let Err(error) = set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, idle) {
        tracing::debug!(target: "doorward::crypto::hashing_threads", ?error, "the priority of the password hashing threads could not be lowered");
    }
}

#[cfg(not(target_os = "linux"))]
fn lower_priority() {}

#[cfg(test)]
#[path = "hashing_threads_tests.rs"]
mod tests;
