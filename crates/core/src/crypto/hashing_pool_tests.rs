#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::crypto::password::Params;
use crate::metrics::Metrics;
use crate::model::device::Device;
use crate::model::ids::UserId;
use std::time::Duration;

fn pool(permits: usize, waiting: usize) -> Arc<HashingPool> {
    let (hasher, metrics) = (PasswordHasher::new(Params::CHEAPEST).unwrap(), Metrics::new().unwrap().passwords);
    Arc::new(HashingPool::new(hasher, permits, waiting, true, metrics).unwrap())
}

fn secret(text: &str) -> SecretString {
    SecretString::from(text)
}

#[tokio::test]
async fn pool_hashes_and_verifies() {
    let pool = pool(2, 10);
    let stored = pool.hash(secret("correct horse"), Requester::OPERATOR).await.unwrap();
    assert_eq!(
        pool.verify(secret("correct horse"), Some(stored.clone()), Requester::OPERATOR).await,
        Ok(PasswordMatch::Yes)
    );
    assert_eq!(pool.verify(secret("wrong"), Some(stored), Requester::OPERATOR).await, Ok(PasswordMatch::No));
    assert_eq!(pool.verify(secret("correct horse"), None, Requester::OPERATOR).await, Ok(PasswordMatch::No));
    assert_eq!(pool.verifications(), 3);
    let broken = pool.verify(secret("x"), Some("x".to_owned()), Requester::OPERATOR).await;
    assert_eq!(broken, Err(HashingError::Password(PasswordError::Stored)));
}

#[tokio::test]
async fn full_queue_rejects_at_once() {
    let pool = pool(1, 2);
    let running = pool.running.clone().acquire_many_owned(2).await.unwrap();
    let call = |pool: Arc<HashingPool>| async move { pool.verify(secret("x"), None, Requester::OPERATOR).await };
    let calls: Vec<_> = (0..8).map(|_| tokio::spawn(call(pool.clone()))).collect();
    while calls.iter().filter(|call| call.is_finished()).count() < 5 {
        tokio::task::yield_now().await;
    }
    assert_eq!(pool.verify(secret("x"), None, Requester::OPERATOR).await, Err(HashingError::Busy));
    drop(running);
    let mut done = 0;
    for call in calls {
        match call.await.unwrap() {
            Ok(verified) => done += usize::from(verified == PasswordMatch::No),
            Err(error) => assert_eq!(error, HashingError::Busy),
        }
    }
    assert_eq!(done, 3);
    assert_eq!(pool.verify(secret("x"), None, Requester::OPERATOR).await, Ok(PasswordMatch::No));
}

#[tokio::test]
async fn cancelled_caller_leaves_queue() {
    let pool = pool(1, 1);
    let running = pool.running.clone().acquire_many_owned(2).await.unwrap();
    let admitted = pool.admission.clone().acquire_owned().await.unwrap();
    let wait = || tokio::time::timeout(Duration::from_millis(5), pool.verify(secret("x"), None, Requester::OPERATOR));
    assert!(wait().await.is_err(), "waits until the timeout");
    assert!(wait().await.is_err(), "the permit was released");
    let (first, second) = tokio::join!(wait(), wait());
    assert!(first.is_err());
    assert_eq!(second.unwrap(), Err(HashingError::Busy));
    drop((running, admitted));
    assert_eq!(pool.verify(secret("x"), None, Requester::OPERATOR).await, Ok(PasswordMatch::No));
    assert_eq!(pool.verifications(), 1);
}

#[tokio::test]
async fn work_of_cancelled_caller_keeps_its_permits() {
    let pool = pool(1, 0);
    let (finish, wait) = std::sync::mpsc::channel::<()>();
    let work = pool.run(Requester::OPERATOR, move |_| {
        let _ = wait.recv();
        Ok(())
    });
    assert!(tokio::time::timeout(Duration::from_millis(1), work).await.is_err());
    assert_eq!(pool.verify(secret("x"), None, Requester::OPERATOR).await, Err(HashingError::Busy));
    finish.send(()).unwrap();
    while pool.verify(secret("x"), None, Requester::OPERATOR).await == Err(HashingError::Busy) {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn panic_is_returned_as_error() {
    let pool = pool(1, 0);
    let panics =
        pool.run(Requester::OPERATOR, |_| -> Result<(), PasswordError> { Err(std::iter::empty().next().unwrap()) });
    assert_eq!(panics.await, Err(HashingError::Stopped));
    assert_eq!(pool.verify(secret("x"), None, Requester::OPERATOR).await, Ok(PasswordMatch::No));
}

#[tokio::test]
async fn stalled_threads_do_not_stop_hashing() {
    let pool = pool(1, 8);
    let (finish, wait) = std::sync::mpsc::channel::<()>();
    // Simulates a hash that has started and makes no progress.
    let stuck = pool.clone();
    let stuck = tokio::spawn(async move {
        let work = move |_: &PasswordHasher| {
            let _ = wait.recv();
            Ok(())
        };
        stuck.run(Requester::OPERATOR, work).await
    });
    while pool.admission.available_permits() == 9 {
        tokio::task::yield_now().await;
    }
    for _ in 0..3 {
        assert_eq!(pool.verify(secret("x"), None, Requester::OPERATOR).await, Ok(PasswordMatch::No));
    }
    assert!(!stuck.is_finished());
    finish.send(()).unwrap();
    assert_eq!(stuck.await.unwrap(), Ok(()));
    assert_eq!(pool.verify(secret("x"), None, Requester::OPERATOR).await, Ok(PasswordMatch::No));
    assert_eq!(pool.verifications(), 4);
}

#[tokio::test]
async fn callers_wait_while_threads_make_progress() {
    let pool = pool(1, 8);
    let arrived = Instant::now() - 2 * STALL_TIMEOUT;
    assert_eq!(pool.verify(secret("x"), None, Requester::OPERATOR).await, Ok(PasswordMatch::No));
    let started = pool.threads.last_started();
    pool.wait_for_stall(arrived).await;
    assert!(started.elapsed() >= STALL_TIMEOUT, "a job started just before");
    pool.wait_for_stall(arrived).await;
    pool.wait_for_stall(Instant::now()).await;
    assert!(started.elapsed() >= 2 * STALL_TIMEOUT, "a new caller waits as well");
}

#[tokio::test]
async fn one_account_holds_quarter_of_waiting_places() {
    let pool = pool(1, 8);
    let running = pool.running.clone().acquire_many_owned(2).await.unwrap();
    let account = Some(UserId(uuid::Uuid::from_u128(1)));
    let call = |pool: Arc<HashingPool>, account, address: &str| {
        let requester = Requester::client(account, &Device::new("", address.parse().ok()));
        tokio::spawn(async move { pool.verify(secret("x"), None, requester).await })
    };
    let flood: Vec<_> = (0..40).map(|number| call(pool.clone(), account, &format!("192.0.2.{number}"))).collect();
    while flood.iter().filter(|call| call.is_finished()).count() < 38 {
        tokio::task::yield_now().await;
    }
    let honest = call(pool.clone(), None, "198.51.100.1");
    tokio::task::yield_now().await;
    drop(running);
    assert_eq!(honest.await.unwrap(), Ok(PasswordMatch::No));
    let mut served = 0;
    for call in flood {
        match call.await.unwrap() {
            Ok(_) => served += 1,
            Err(error) => assert_eq!(error, HashingError::Busy),
        }
    }
    assert_eq!(served, 2);
}
