#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::crypto::password::Params;
use std::time::Duration;

fn pool(permits: usize, waiting: usize) -> Arc<HashingPool> {
    Arc::new(HashingPool::new(PasswordHasher::new(Params::CHEAPEST).unwrap(), permits, waiting).unwrap())
}

fn secret(text: &str) -> SecretString {
    SecretString::from(text)
}

#[tokio::test]
async fn it_hashes_and_verifies() {
    let pool = pool(2, 10);
    let stored = pool.hash(secret("correct horse")).await.unwrap();
    assert_eq!(pool.verify(secret("correct horse"), Some(stored.clone())).await, Ok(Verified::Yes));
    assert_eq!(pool.verify(secret("wrong"), Some(stored)).await, Ok(Verified::No));
    assert_eq!(pool.verify(secret("correct horse"), None).await, Ok(Verified::No));
    assert_eq!(pool.verifications(), 3);
    let broken = pool.verify(secret("x"), Some("x".to_owned())).await;
    assert_eq!(broken, Err(HashingError::Password(PasswordError::Stored)));
}

#[tokio::test]
async fn beyond_the_line_callers_are_turned_away_at_once() {
    let pool = pool(1, 2);
    let running = pool.running.clone().acquire_many_owned(2).await.unwrap();
    let call = |pool: Arc<HashingPool>| async move { pool.verify(secret("x"), None).await };
    let calls: Vec<_> = (0..8).map(|_| tokio::spawn(call(pool.clone()))).collect();
    while calls.iter().filter(|call| call.is_finished()).count() < 5 {
        tokio::task::yield_now().await;
    }
    assert_eq!(pool.verify(secret("x"), None).await, Err(HashingError::Busy));
    drop(running);
    let mut done = 0;
    for call in calls {
        match call.await.unwrap() {
            Ok(verified) => done += usize::from(verified == Verified::No),
            Err(error) => assert_eq!(error, HashingError::Busy),
        }
    }
    assert_eq!(done, 3);
    assert_eq!(pool.verify(secret("x"), None).await, Ok(Verified::No));
}

#[tokio::test]
async fn a_caller_who_gives_up_leaves_the_line() {
    let pool = pool(1, 1);
    let running = pool.running.clone().acquire_many_owned(2).await.unwrap();
    let inside = pool.line.clone().acquire_owned().await.unwrap();
    let wait = || tokio::time::timeout(Duration::from_millis(5), pool.verify(secret("x"), None));
    assert!(wait().await.is_err(), "waits, and gives up");
    assert!(wait().await.is_err(), "the place is free again");
    let (first, second) = tokio::join!(wait(), wait());
    assert!(first.is_err());
    assert_eq!(second.unwrap(), Err(HashingError::Busy));
    drop((running, inside));
    assert_eq!(pool.verify(secret("x"), None).await, Ok(Verified::No));
    assert_eq!(pool.verifications(), 1);
}

#[tokio::test]
async fn work_of_a_caller_who_left_still_counts_as_running() {
    let pool = pool(1, 0);
    let (finish, wait) = std::sync::mpsc::channel::<()>();
    let work = pool.run(move |_| {
        let _ = wait.recv();
        Ok(())
    });
    assert!(tokio::time::timeout(Duration::from_millis(1), work).await.is_err());
    assert_eq!(pool.verify(secret("x"), None).await, Err(HashingError::Busy));
    finish.send(()).unwrap();
    while pool.verify(secret("x"), None).await == Err(HashingError::Busy) {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_panic_is_an_error_and_nothing_more() {
    let pool = pool(1, 0);
    let panics = pool.run(|_| -> Result<(), PasswordError> { Err(std::iter::empty().next().unwrap()) });
    assert_eq!(panics.await, Err(HashingError::Stopped));
    assert_eq!(pool.verify(secret("x"), None).await, Ok(Verified::No));
}

#[tokio::test]
async fn where_the_threads_get_no_core_hashes_go_on() {
    let pool = pool(1, 8);
    let (finish, wait) = std::sync::mpsc::channel::<()>();
    // Stands for a hash that has begun and gets no further.
    let stuck = pool.clone();
    let stuck = tokio::spawn(async move {
        let work = move |_: &PasswordHasher| {
            let _ = wait.recv();
            Ok(())
        };
        stuck.run(work).await
    });
    while pool.line.available_permits() == 9 {
        tokio::task::yield_now().await;
    }
    for _ in 0..3 {
        assert_eq!(pool.verify(secret("x"), None).await, Ok(Verified::No));
    }
    assert!(!stuck.is_finished());
    finish.send(()).unwrap();
    assert_eq!(stuck.await.unwrap(), Ok(()));
    assert_eq!(pool.verify(secret("x"), None).await, Ok(Verified::No));
    assert_eq!(pool.verifications(), 4);
}

#[tokio::test]
async fn while_the_threads_get_on_everybody_waits_for_them() {
    let pool = pool(1, 8);
    // Longer ago than anybody's patience.
    let arrived = Instant::now() - 2 * PATIENCE;
    assert_eq!(pool.verify(secret("x"), None).await, Ok(Verified::No));
    let began = pool.threads.last_began();
    pool.standstill(arrived).await;
    assert!(began.elapsed() >= PATIENCE, "the threads had begun something just now");
    pool.standstill(arrived).await;
    pool.standstill(Instant::now()).await;
    assert!(began.elapsed() >= 2 * PATIENCE, "who comes has patience, too");
}
