#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

#[test]
fn concurrency_is_bounded_by_thread_count() {
    let threads = HashingThreads::start(3).unwrap();
    let (running, max_running) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (done, wait) = mpsc::channel();
    for _ in 0..200 {
        let (running, max_running, done) = (running.clone(), max_running.clone(), done.clone());
        threads.submit(Job::new(move || {
            max_running.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            thread::yield_now();
            running.fetch_sub(1, Ordering::SeqCst);
            done.send(thread::current().name().unwrap().to_owned()).unwrap();
        }));
    }
    drop(done);
    let names: Vec<_> = wait.iter().collect();
    assert_eq!(names.len(), 200);
    let names: BTreeSet<_> = names.into_iter().collect();
    assert!(names.iter().all(|name| name.starts_with("hashing-")), "{names:?}");
    assert!((1..=3).contains(&max_running.load(Ordering::SeqCst)));
}

#[test]
fn thread_survives_panic() {
    let threads = HashingThreads::start(1).unwrap();
    let (done, wait) = mpsc::channel();
    for number in 0..3 {
        let done = done.clone();
        threads.submit(Job::new(move || {
            assert!(number == 2, "the panic under test");
            done.send(number).unwrap();
        }));
    }
    assert_eq!(wait.recv(), Ok(2));
}

#[test]
fn queued_jobs_finish_after_drop() {
    let threads = HashingThreads::start(2).unwrap();
    let (done, wait) = mpsc::channel();
    for _ in 0..20 {
        let done = done.clone();
        threads.submit(Job::new(move || done.send(()).unwrap()));
    }
    drop((threads, done));
    assert_eq!(wait.iter().count(), 20);
}

#[cfg(target_os = "linux")]
#[test]
fn threads_run_at_idle_priority() {
    use thread_priority::{NormalThreadSchedulePolicy, ThreadSchedulePolicy, thread_schedule_policy};
    let threads = HashingThreads::start(1).unwrap();
    let (answer, policy) = mpsc::channel();
    threads.submit(Job::new(move || answer.send(thread_schedule_policy()).unwrap()));
    assert_eq!(policy.recv().unwrap(), Ok(ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle)));
    assert_ne!(thread_schedule_policy(), Ok(ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle)));
}
