#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::settings::{DatabaseSettings, DatabaseUrl, SchemaUpdate};
use std::path::PathBuf;

/// The error of a connection to this host, and the time until it was given up, by a clock that waits for nothing but
/// what is under way.
async fn connect_to(host: &str) -> (StoreError, Duration) {
    let url = format!("postgres://ada@{host}/app").into();
    let settings = DatabaseSettings {
        url: DatabaseUrl::Sqlite(PathBuf::new()),
        data_dir: PathBuf::new(),
        pool_max: 8,
        schema_update: SchemaUpdate::Never,
        password_file: None,
    };
    let connections = Connections::new(Connector::new(&url, &settings).unwrap());
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
