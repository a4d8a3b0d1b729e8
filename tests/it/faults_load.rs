//! A long outage of the receiver while events pile up, and the load that the least memory is for.

use crate::harness::{Engine, PASSWORD, Process, Receiver, eventually, free_port, scaled};
use crate::outbox::fixture::{push, seed};
use crate::outbox::service::Service;
use std::io::Write as _;
use std::time::Duration;

both_engines![backlog_costs_neither_memory_nor_cpu, logins_of_six_clients_fit_into_least_memory];

/// Growth that the allocator explains.
const MAX_GROWTH_KIB: u64 = 16 * 1024;

/// The least memory that docs/concepts/scale.md names, for two cores; each core more may hash another password. While other
/// load starves the threads, half as many more hash at once.
const LEAST_MIB: u64 = 128;
const CORE_MIB: u64 = 20;
/// What the program of packages takes of it (docs/concepts/performance.md).
const PROGRAM_MIB: u64 = 27;

async fn logins_of_six_clients_fit_into_least_memory(engine: Engine) {
    let rounds = scaled(5, 60);
    let builder = engine.prepare().await.set("SVC_RATE_LIMIT", "off").set("SVC_LOG", "error");
    let process = Process::start(builder.variables()).await;
    let mut clients = tokio::task::JoinSet::new();
    for number in 0..6 {
        let visitors: Vec<_> = (0..2 * rounds).map(|_| builder.anonymous()).collect();
        clients.spawn(async move {
            for (round, two) in visitors.chunks(2).enumerate() {
                let email = format!("user{number}-{round}@example.com");
                two[0].sign_up(&email).await.expect(303);
                two[1].log_in(&email, PASSWORD).await.expect(303);
                two[1].api_user().await.expect(200);
            }
        });
    }
    clients.join_all().await;
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let limit = LEAST_MIB - PROGRAM_MIB + CORE_MIB * u64::try_from(cores.saturating_sub(2)).unwrap();
    let most = process.most_memory_kib() / 1024;
    let said = format!("most memory: {most} MiB of {limit}, {rounds} rounds of six clients, {cores} cores");
    let _ = writeln!(std::io::stderr(), "{said}");
    assert!(most < limit, "{most} MiB, and {limit} of those that are documented are left by the program");
}

async fn backlog_costs_neither_memory_nor_cpu(engine: Engine) {
    let backlog = scaled(5000, 100_000);
    let port = free_port();
    let variables = [
        ("SVC_WEBHOOK_URL", format!("http://127.0.0.1:{port}/")),
        ("SVC_WEBHOOK_RETRY_DELAYS", "1h".to_owned()),
        ("SVC_WEBHOOK_WORKER_COUNT", "4".to_owned()),
        // On a busy machine claims would wait longer than a quarter of a short lease, and be released.
        ("SVC_WEBHOOK_PROCESSING_STALE_AFTER", "10m".to_owned()),
        ("SVC_LOG", "error".to_owned()),
    ];
    let variables = variables.each_ref().map(|(name, value)| (*name, value.as_str()));
    let service = Service::new(engine, &variables).await;
    seed(service.database(), backlog).await;
    let process = service.start().await;
    eventually("a thousand attempts", async || (attempted(&service).await >= 1000).then_some(())).await;
    let before = process.memory_kib();
    for _ in 0..5 {
        push(&service.store).await;
    }
    let all = i64::try_from(backlog + 5).unwrap();
    eventually("an attempt for each event", async || (attempted(&service).await == all).then_some(())).await;
    let growth = process.memory_kib().saturating_sub(before);
    assert!(growth < MAX_GROWTH_KIB, "{growth} KiB more");
    expect_idle(&service, &process).await;
    // The receiver is back when the retries are due.
    let receiver = Receiver::start_at(port).await;
    service.database().execute("UPDATE outbox SET due_at = created_at").await;
    service.wait_for(all, "delivered").await;
    assert_eq!(receiver.received().len(), backlog + 5);
    assert_eq!(service.count("attempts = 2").await, all);
}

async fn attempted(service: &Service) -> i64 {
    service.count("attempts = 1 AND state = 'pending'").await
}

/// Fails if the process uses the CPU while nothing is due.
async fn expect_idle(service: &Service, process: &Process) {
    assert_eq!(service.count("lease = 1 AND attempts = 1").await, attempted(service).await, "each was claimed once");
    let before = process.cpu_time();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let spent = process.cpu_time().saturating_sub(before);
    assert!(spent < Duration::from_millis(500), "{spent:?} of CPU time while idle");
    assert_eq!(service.count("lease = 1").await, attempted(service).await, "nothing was claimed");
}
