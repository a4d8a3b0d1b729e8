//! The threads on which passwords are hashed: as many as hashes may run at once, and each stepping back for whatever
//! else the process has to do.
//!
//! A hash takes a core for some 15 ms. At the same priority a request that comes meanwhile waits until the scheduler
//! takes the core away, which is several of its time slices; on Linux the threads run under `SCHED_IDLE` (sched(7)),
//! which a thread that wakes up displaces at once. Elsewhere they run like all others.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use tokio::time::Instant;

/// Work that is done once, by whoever comes first.
#[derive(Clone)]
pub(super) struct Job(Arc<Mutex<Option<Work>>>);

type Work = Box<dyn FnOnce() + Send>;

impl Job {
    /// Work that nobody has begun.
    pub(super) fn new(work: impl FnOnce() + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(Some(Box::new(work)))))
    }

    /// Does it, unless somebody else has begun.
    pub(super) fn run(self) {
        let work = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(work) = work {
            work();
        }
    }
}

/// Threads that take what they are given in turn. They end after their work once this is dropped.
#[derive(Debug)]
pub(super) struct HashingThreads {
    line: Sender<Job>,
    last_began: Arc<Mutex<Instant>>,
}

impl HashingThreads {
    /// Starts so many.
    pub(super) fn start(count: usize) -> std::io::Result<Self> {
        let (sender, receiver) = channel();
        let line = Arc::new(Mutex::new(receiver));
        let last_began = Arc::new(Mutex::new(Instant::now()));
        for number in 0..count {
            let (line, last_began) = (line.clone(), last_began.clone());
            Builder::new().name(format!("hashing-{number}")).spawn(move || {
                step_back();
                work_off(&line, &last_began);
            })?;
        }
        Ok(Self { line: sender, last_began })
    }

    /// Has the next free thread do this.
    pub(super) fn run(&self, job: Job) {
        // The threads outlive this sender, so there is always one that takes it.
        let _ = self.line.send(job);
    }

    /// When one of them last took work.
    pub(super) fn last_began(&self) -> Instant {
        *self.last_began.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn work_off(line: &Mutex<Receiver<Job>>, last_began: &Mutex<Instant>) {
    loop {
        // Held while it waits: the others wait for the lock instead.
        let next = line.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        *last_began.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        // Who waits for it hears of a panic by the answer that does not come; the thread is needed by others.
        if catch_unwind(AssertUnwindSafe(|| job.run())).is_err() {
            tracing::error!("the computation of a password hash panicked");
        }
    }
}

#[cfg(target_os = "linux")]
fn step_back() {
    use thread_priority::{
        NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy,
        thread_native_id,
    };
    let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
    if let Err(error) = set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, idle) {
        tracing::debug!(?error, "the priority of the threads that hash passwords was not lowered as it should be");
    }
}

#[cfg(not(target_os = "linux"))]
fn step_back() {}

#[cfg(test)]
#[path = "hashing_threads_tests.rs"]
mod tests;
