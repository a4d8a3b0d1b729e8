//! Worker pools: order, concurrency, shutdown, and recovery from dead processes.

use super::fixture::{Outbox, push, seconds, wait_for_poll, wait_for_reaper};
use super::steps::{claim, start};
use crate::harness::{Answer, Engine, Receiver, eventually};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::Instant;

both_engines![
    events_arrive_oldest_first,
    two_pools_send_each_event_once,
    concurrent_requests_are_limited_to_workers,
    shutdown_finishes_running_and_releases_rest,
    late_outcome_changes_nothing,
    interrupted_events_are_sent_one_at_a_time,
    pool_restores_claims_of_dead_process,
    idle_pool_is_woken_at_once,
    finished_events_are_removed,
];
single_run![commit_wakes_pools_of_other_processes, pool_survives_lost_connections];

async fn events_arrive_oldest_first(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox.push(150).await;
    let workers = outbox.work(&[]);
    outbox.wait_for(150, "delivered").await;
    let ids: Vec<String> =
        outbox.receiver.received().iter().map(|one| one.header("webhook-id").unwrap().into()).collect();
    assert_eq!(ids.len(), 150);
    // Only the timestamp: within a millisecond ids are not ordered.
    assert!(ids.is_sorted_by_key(|id| id[..17].to_owned()), "{ids:#?}");
    workers.shutdown().await;
}

async fn two_pools_send_each_event_once(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    let other = outbox.other_store().await;
    let pools = [
        outbox.work(&[("WEBHOOK_WORKER_COUNT", "4")]),
        outbox.work_on(&other, &outbox.receiver.url(), &[("WEBHOOK_WORKER_COUNT", "4")]),
    ];
    outbox.push(600).await;
    outbox.wait_for(600, "delivered").await;
    let received = outbox.receiver.received();
    let ids: HashSet<&str> = received.iter().map(|one| one.header("webhook-id").unwrap()).collect();
    assert_eq!((received.len(), ids.len()), (600, 600));
    let [one, two] = pools;
    let delivered = [one.metrics().delivered.get(), two.metrics().delivered.get()];
    assert_eq!(delivered.iter().sum::<u64>(), 600, "{delivered:?}");
    assert_eq!(one.metrics().lost_leases.get() + two.metrics().lost_leases.get(), 0);
    one.shutdown().await;
    two.shutdown().await;
}

async fn concurrent_requests_are_limited_to_workers(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    let go = Arc::new(Semaphore::new(0));
    outbox.receiver.answer_always(Answer::Held(go.clone(), Box::new(Answer::Status(204))));
    let variables =
        [("WEBHOOK_WORKER_COUNT", "3"), ("WEBHOOK_TIMEOUT", "60s"), ("WEBHOOK_STALE_REAPER_INTERVAL", "100ms")];
    let workers = outbox.work(&variables);
    outbox.push(20).await;
    outbox.receiver.wait_for(3).await;
    wait_for_reaper(&outbox.database).await;
    assert_eq!(outbox.receiver.received().len(), 3);
    let started = "state = 'processing' AND started IS TRUE";
    assert_eq!(outbox.count_where("outbox", started).await, 3, "nothing is started ahead of a slow receiver");
    go.add_permits(20);
    outbox.wait_for(20, "delivered").await;
    assert_eq!(outbox.receiver.max_concurrent_requests(), 3);
    workers.shutdown().await;
}

async fn shutdown_finishes_running_and_releases_rest(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox.receiver.answer_always(Answer::After(Duration::from_millis(500), Box::new(Answer::Status(204))));
    let workers = outbox.work(&[("WEBHOOK_WORKER_COUNT", "2")]);
    outbox.push(20).await;
    outbox.receiver.wait_for(2).await;
    let metrics = workers.metrics().clone();
    workers.shutdown().await;
    let received = i64::try_from(outbox.receiver.received().len()).unwrap();
    assert_eq!(outbox.count("delivered").await, received);
    assert_eq!(outbox.count("processing").await, 0);
    assert_eq!(outbox.count_where("outbox", "state = 'pending' AND attempts = 0").await, 20 - received);
    // Every task of the pool has a reference to the metrics.
    eventually("no task is left", async || (Arc::strong_count(&metrics) == 1).then_some(())).await;
    assert_eq!(
        i64::try_from(outbox.receiver.received().len()).unwrap(),
        received,
        "nothing was sent after the shutdown"
    );
}

async fn late_outcome_changes_nothing(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox
        .receiver
        .answer_next([Answer::After(Duration::from_millis(1500), Box::new(Answer::Status(204))), Answer::Status(400)]);
    let slow = outbox.work(&[]);
    outbox.push(1).await;
    outbox.receiver.wait_for(1).await;
    outbox.clock.advance(seconds(121));
    // Its reaper runs at once and restores the event, whose claim by the slow pool is stale.
    let other = outbox.other_store().await;
    let fast = outbox.work_on(&other, &outbox.receiver.url(), &[]);
    outbox.wait_for(1, "failed").await;
    eventually("the late outcome is counted", async || (slow.metrics().lost_leases.get() == 1).then_some(())).await;
    assert_eq!(outbox.count("failed").await, 1);
    assert_eq!(slow.metrics().delivered.get(), 0);
    slow.shutdown().await;
    fast.shutdown().await;
}

/// Starts attempts like a process that is killed during them.
async fn start_and_abandon(outbox: &Outbox, count: usize) {
    let claimed = claim(&outbox.store, count).await;
    assert_eq!(start(&outbox.store, &claimed).await, count);
    outbox.clock.advance(seconds(121));
}

async fn interrupted_events_are_sent_one_at_a_time(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    let go = Arc::new(Semaphore::new(0));
    outbox.receiver.answer_always(Answer::Held(go.clone(), Box::new(Answer::Status(204))));
    outbox.push(3).await;
    start_and_abandon(&outbox, 3).await;
    let workers = outbox.work(&[("WEBHOOK_WORKER_COUNT", "8"), ("WEBHOOK_STALE_REAPER_INTERVAL", "100ms")]);
    for count in 1..=3 {
        assert_eq!(outbox.receiver.wait_for(count).await.len(), count);
        wait_for_reaper(&outbox.database).await;
        assert_eq!(outbox.receiver.received().len(), count, "one after the other");
        let written = i64::try_from(count - 1).unwrap();
        assert_eq!(outbox.count("delivered").await, written, "the previous outcome was written first");
        assert_eq!(outbox.count_where("outbox", "attempts = 2").await, written + 1);
        go.add_permits(1);
    }
    outbox.wait_for(3, "delivered").await;
    assert_eq!(outbox.receiver.max_concurrent_requests(), 1);
    workers.shutdown().await;
}

async fn pool_restores_claims_of_dead_process(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox.push(5).await;
    start_and_abandon(&outbox, 2).await;
    let workers = outbox.work(&[]);
    outbox.wait_for(5, "delivered").await;
    assert_eq!(workers.metrics().reaped.get(), 2);
    assert_eq!(outbox.receiver.received().len(), 5);
    workers.shutdown().await;
}

async fn idle_pool_is_woken_at_once(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    let workers = outbox.work(&[]);
    let start = Instant::now();
    for count in 1..=40 {
        outbox.push(1).await;
        outbox.receiver.wait_for(count).await;
        outbox.wait_for(i64::try_from(count).unwrap(), "delivered").await;
    }
    // The poll alone would take about forty seconds.
    assert!(start.elapsed() < seconds(25), "{:?}", start.elapsed());
    workers.shutdown().await;
}

async fn finished_events_are_removed(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    let variables = [
        ("WEBHOOK_CLEANUP_INTERVAL", "100ms"),
        ("WEBHOOK_MAINTENANCE_BATCH_SIZE", "2"),
        ("WEBHOOK_DELIVERED_RETENTION", "1h"),
    ];
    let workers = outbox.work(&variables);
    outbox.push(7).await;
    outbox.wait_for(7, "delivered").await;
    outbox.clock.advance(seconds(3601));
    outbox.wait_for(0, "delivered").await;
    assert_eq!(outbox.count_where("outbox_attempts", "1 = 1").await, 0);
    eventually("the metric", async || (workers.metrics().cleaned.get() == 7).then_some(())).await;
    workers.shutdown().await;
}

async fn commit_wakes_pools_of_other_processes() {
    if Engine::Postgres.need().is_some_and(|need| !need.is_met()) {
        return;
    }
    let outbox = Outbox::new(Engine::Postgres).await;
    // This pool is notified of the commits, but its only worker is busy with the first event.
    let silent = Receiver::start().await;
    silent.answer_always(Answer::Silence);
    let busy = outbox.work_on(&outbox.store, &silent.url(), &[("WEBHOOK_TIMEOUT", "60s")]);
    push(&outbox.store).await;
    silent.wait_for(1).await;
    let other = outbox.other_store().await;
    let idle = outbox.work_on(&other, &outbox.receiver.url(), &[]);
    // The busy pool may have started one more claim before it sent the event, but none after that. That claim has ended
    // when the idle pool, which starts later, has made two polls.
    wait_for_poll(&idle).await;
    let start = Instant::now();
    for count in 1..=40 {
        push(&outbox.store).await;
        outbox.receiver.wait_for(count).await;
        outbox.wait_for(i64::try_from(count).unwrap(), "delivered").await;
    }
    // The poll alone would take about forty seconds.
    assert!(start.elapsed() < seconds(25), "{:?}", start.elapsed());
    drop(busy);
    idle.shutdown().await;
}

async fn pool_survives_lost_connections() {
    if Engine::Postgres.need().is_some_and(|need| !need.is_met()) {
        return;
    }
    let outbox = Outbox::new(Engine::Postgres).await;
    let workers = outbox.work(&[("WEBHOOK_PROCESSING_STALE_AFTER", "6s"), ("WEBHOOK_STALE_REAPER_INTERVAL", "1s")]);
    outbox.push(1).await;
    outbox.wait_for(1, "delivered").await;
    for count in 2..=4 {
        let kill = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
            WHERE application_name = 'doorward' AND datname = current_database()";
        assert!(outbox.database.count(kill).await > 0);
        let other = outbox.other_store().await;
        push(&other).await;
        outbox.wait_for(count, "delivered").await;
    }
    workers.shutdown().await;
}
