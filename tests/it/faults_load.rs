//! A receiver that is away for long while events pile up.

use crate::harness::{Engine, Process, Receiver, eventually, free_port, scaled};
use crate::outbox::fixture::{push, seed};
use crate::outbox::service::Service;
use std::time::Duration;

both![a_backlog_costs_neither_memory_nor_work];

/// Growth that an allocator's habits explain.
const SLACK_KIB: u64 = 16 * 1024;

async fn a_backlog_costs_neither_memory_nor_work(engine: Engine) {
    let backlog = scaled(5000, 100_000);
    let port = free_port();
    let variables = [
        ("SVC_WEBHOOK_URL", format!("http://127.0.0.1:{port}/")),
        ("SVC_WEBHOOK_RETRY_DELAYS", "1h".to_owned()),
        ("SVC_WEBHOOK_WORKER_COUNT", "4".to_owned()),
        // On a busy machine, what is claimed waits longer than a quarter of a short lease, and goes back.
        ("SVC_WEBHOOK_PROCESSING_STALE_AFTER", "10m".to_owned()),
        ("SVC_LOG", "error".to_owned()),
    ];
    let variables = variables.each_ref().map(|(name, value)| (*name, value.as_str()));
    let service = Service::new(engine, &variables).await;
    seed(service.database(), backlog).await;
    let process = service.start().await;
    eventually("the first thousand", async || (tried(&service).await >= 1000).then_some(())).await;
    let before = process.memory_kib();
    for _ in 0..5 {
        push(&service.store).await;
    }
    let all = i64::try_from(backlog + 5).unwrap();
    eventually("all were tried", async || (tried(&service).await == all).then_some(())).await;
    let grown = process.memory_kib().saturating_sub(before);
    assert!(grown < SLACK_KIB, "{grown} KiB more");
    expect_rest(&service, &process).await;
    // An hour later, the receiver is back.
    let receiver = Receiver::start_at(port).await;
    service.database().execute("UPDATE outbox SET due_at = created_at").await;
    service.wait_for(all, "delivered").await;
    assert_eq!(receiver.received().len(), backlog + 5);
    assert_eq!(service.count("attempts = 2").await, all);
}

async fn tried(service: &Service) -> i64 {
    service.count("attempts = 1 AND state = 'pending'").await
}

/// Fails if the process works while nothing is due.
async fn expect_rest(service: &Service, process: &Process) {
    assert_eq!(service.count("lease = 1 AND attempts = 1").await, tried(service).await, "each was claimed once");
    let before = process.cpu_time();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let spent = process.cpu_time().saturating_sub(before);
    assert!(spent < Duration::from_millis(500), "{spent:?} of work for nothing");
    assert_eq!(service.count("lease = 1").await, tried(service).await, "nothing was claimed");
}
