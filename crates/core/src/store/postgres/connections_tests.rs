#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::settings::{DatabaseSettings, DatabaseUrl, SchemaUpdate};
use std::path::PathBuf;

/// The connections to this host, of which none is made yet.
fn connections_to(host: &str) -> Arc<Connections> {
    let url = format!("postgres://ada@{host}/app").into();
    let settings = DatabaseSettings {
        url: DatabaseUrl::Sqlite(PathBuf::new()),
        data_dir: PathBuf::new(),
        pool_max: 8,
        schema_update: SchemaUpdate::Never,
        password_file: None,
    };
    Arc::new(Connections::new(Connector::new(&url, &settings).unwrap()))
}

/// The error of a connection to this host, and the time until it was given up, by a clock that waits for nothing but
/// what is under way.
async fn connect_to(host: &str) -> (StoreError, Duration) {
    let connections = connections_to(host);
    let started = Instant::now();
    let error = connections.connect(started + ACQUIRE_TIMEOUT).await.err().unwrap();
    (error, started.elapsed())
}

#[tokio::test(start_paused = true)]
async fn name_without_address_is_asked_for_until_the_deadline() {
    // No resolver is asked for the second: a part of it is empty.
    for host in ["nowhere.invalid", "nowhere..invalid"] {
        let (error, took) = connect_to(host).await;
        assert!(error.is_short() && error.is_away(), "{error}");
        assert!(took + 2 * RETRY_INTERVAL > ACQUIRE_TIMEOUT, "given up after {took:?}: {error}");
    }
}

#[tokio::test(start_paused = true)]
async fn other_failures_are_not_repeated() {
    let (error, took) = connect_to("%2Fnowhere%2Fto%2Fbe%2Ffound").await;
    assert!(!error.is_short() && took < RETRY_INTERVAL, "{error} after {took:?}");
}

#[tokio::test(start_paused = true)]
async fn who_comes_first_waits_and_others_do_not() {
    let connections = connections_to("nowhere..invalid");
    let take = async |connections: &Arc<Connections>| {
        let started = Instant::now();
        let error = connections.take(started + ACQUIRE_TIMEOUT).await.err().unwrap();
        assert!(error.is_away(), "{error}");
        started.elapsed()
    };
    let first = take(&connections).await;
    assert!(first + 2 * RETRY_INTERVAL > ACQUIRE_TIMEOUT && first <= ACQUIRE_TIMEOUT, "{first:?}");
    for _ in 0..20 {
        let later = take(&connections).await;
        assert!(later < Duration::from_millis(500), "{later:?}");
    }
}

/// A server that takes connections and says nothing.
#[tokio::test(start_paused = true)]
async fn one_connection_is_tried_for_all_who_wait() {
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let connections = connections_to(&server.local_addr().unwrap().to_string());
    connections.take(Instant::now() + ACQUIRE_TIMEOUT).await.err().unwrap();
    let mut waiting = tokio::task::JoinSet::new();
    for _ in 0..50 {
        let connections = connections.clone();
        waiting.spawn(async move { connections.take(Instant::now() + ACQUIRE_TIMEOUT).await.err().unwrap() });
    }
    assert!(waiting.join_all().await.iter().all(StoreError::is_away));
    server.set_nonblocking(true).unwrap();
    let tried = std::iter::from_fn(|| server.accept().ok()).count();
    assert_eq!(tried, 2, "the first, and one for the others");
}
