//! Pools of workers: many events, several processes, the end of a process.

use super::fixture::{Outbox, push, seconds};
use crate::harness::{Answer, Engine, Receiver, eventually};
use doorward::store::Channel;
use std::collections::HashSet;
use std::time::Duration;
use tokio::time::Instant;

both![
    events_arrive_oldest_first,
    two_pools_send_each_event_once,
    no_more_posts_than_workers,
    shutdown_finishes_what_runs_and_gives_back_the_rest,
    a_late_outcome_changes_nothing,
    what_may_have_killed_a_process_is_sent_alone,
    a_pool_restores_what_a_dead_process_left,
    an_idle_pool_is_woken_at_once,
    finished_events_are_removed,
];
once![a_pool_wakes_those_of_other_processes, a_pool_outlives_its_connections];

async fn events_arrive_oldest_first(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox.push(150).await;
    let workers = outbox.work(&[]);
    outbox.wait_for(150, "delivered").await;
    let ids: Vec<String> =
        outbox.receiver.received().iter().map(|one| one.header("webhook-id").unwrap().into()).collect();
    assert_eq!(ids.len(), 150);
    // Ids grow with the millisecond; within one, the database knows the order better.
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
    let delivered = [one.figures().delivered.get(), two.figures().delivered.get()];
    assert_eq!(delivered.iter().sum::<u64>(), 600, "{delivered:?}");
    assert_eq!(one.figures().lost_leases.get() + two.figures().lost_leases.get(), 0);
    one.shutdown().await;
    two.shutdown().await;
}

async fn no_more_posts_than_workers(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox.receiver.answer_always(Answer::Silence);
    let workers = outbox.work(&[("WEBHOOK_WORKER_COUNT", "3"), ("WEBHOOK_TIMEOUT", "2s")]);
    outbox.push(20).await;
    outbox.receiver.wait_for(3).await;
    tokio::time::sleep(Duration::from_millis(700)).await;
    assert_eq!(outbox.receiver.received().len(), 3);
    assert_eq!(outbox.count_where("outbox", "attempts > 0").await, 3, "nothing is begun ahead of a slow receiver");
    workers.shutdown().await;
}

async fn shutdown_finishes_what_runs_and_gives_back_the_rest(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox.receiver.answer_always(Answer::After(Duration::from_millis(500), Box::new(Answer::Status(204))));
    let workers = outbox.work(&[("WEBHOOK_WORKER_COUNT", "2")]);
    outbox.push(20).await;
    outbox.receiver.wait_for(2).await;
    workers.shutdown().await;
    let received = i64::try_from(outbox.receiver.received().len()).unwrap();
    assert_eq!(outbox.count("delivered").await, received);
    assert_eq!(outbox.count("processing").await, 0);
    assert_eq!(outbox.count_where("outbox", "state = 'pending' AND attempts = 0").await, 20 - received);
    tokio::time::sleep(Duration::from_millis(1200)).await;
    assert_eq!(i64::try_from(outbox.receiver.received().len()).unwrap(), received, "nobody works any more");
}

async fn a_late_outcome_changes_nothing(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox
        .receiver
        .answer_next([Answer::After(Duration::from_millis(1500), Box::new(Answer::Status(204))), Answer::Status(400)]);
    let slow = outbox.work(&[]);
    outbox.push(1).await;
    outbox.receiver.wait_for(1).await;
    outbox.clock.advance(seconds(121));
    // Its reaper looks at once, finds the claim of the slow one stale, and takes the event.
    let other = outbox.other_store().await;
    let fast = outbox.work_on(&other, &outbox.receiver.url(), &[]);
    outbox.wait_for(1, "failed").await;
    eventually("the late outcome is counted", async || (slow.figures().lost_leases.get() == 1).then_some(())).await;
    assert_eq!(outbox.count("failed").await, 1);
    assert_eq!(slow.figures().delivered.get(), 0);
    slow.shutdown().await;
    fast.shutdown().await;
}

/// Begins attempts as a process that is killed before their end.
async fn die_with(outbox: &Outbox, count: usize) {
    let mut tx = outbox.store.begin().await.unwrap();
    let claimed = tx.outbox_claim(Channel::Webhook, count).await.unwrap();
    let leases: Vec<_> = claimed.iter().map(doorward::store::Claimed::held).collect();
    assert_eq!(tx.outbox_start(&leases).await.unwrap().len(), count);
    tx.commit().await.unwrap();
    outbox.clock.advance(seconds(121));
}

async fn what_may_have_killed_a_process_is_sent_alone(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox.receiver.answer_always(Answer::After(Duration::from_millis(600), Box::new(Answer::Status(204))));
    outbox.push(3).await;
    die_with(&outbox, 3).await;
    let workers = outbox.work(&[("WEBHOOK_WORKER_COUNT", "8")]);
    for count in 1..=3 {
        assert_eq!(outbox.receiver.wait_for(count).await.len(), count);
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(outbox.receiver.received().len(), count, "one after the other");
        let written = i64::try_from(count - 1).unwrap();
        assert_eq!(outbox.count("delivered").await, written, "the one before was written first");
        assert_eq!(outbox.count_where("outbox", "attempts = 2").await, written + 1);
    }
    outbox.wait_for(3, "delivered").await;
    workers.shutdown().await;
}

async fn a_pool_restores_what_a_dead_process_left(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox.push(5).await;
    die_with(&outbox, 2).await;
    let workers = outbox.work(&[]);
    outbox.wait_for(5, "delivered").await;
    assert_eq!(workers.figures().reaped.get(), 2);
    assert_eq!(outbox.receiver.received().len(), 5);
    workers.shutdown().await;
}

async fn an_idle_pool_is_woken_at_once(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    let workers = outbox.work(&[]);
    let began = Instant::now();
    for count in 1..=40 {
        outbox.push(1).await;
        outbox.receiver.wait_for(count).await;
        outbox.wait_for(i64::try_from(count).unwrap(), "delivered").await;
    }
    // The poll alone would take about forty seconds.
    assert!(began.elapsed() < seconds(25), "{:?}", began.elapsed());
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
    eventually("the figure", async || (workers.figures().cleaned.get() == 7).then_some(())).await;
    workers.shutdown().await;
}

async fn a_pool_wakes_those_of_other_processes() {
    if Engine::Postgres.need().is_some_and(|need| !need.is_met()) {
        return;
    }
    let outbox = Outbox::new(Engine::Postgres).await;
    let other = outbox.other_store().await;
    let idle = outbox.work_on(&other, &outbox.receiver.url(), &[]);
    // This one hears the commits, and is busy with the first events all the while.
    let silent = Receiver::start().await;
    silent.answer_always(Answer::Silence);
    let busy = outbox.work_on(&outbox.store, &silent.url(), &[("WEBHOOK_TIMEOUT", "60s")]);
    eventually("the busy one is busy", async || {
        push(&outbox.store).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        (silent.received().len() == 1).then_some(())
    })
    .await;
    // A claim may be under way; after it there is none until the silent receiver has answered.
    tokio::time::sleep(Duration::from_millis(200)).await;
    let (began, before) = (Instant::now(), outbox.receiver.received().len());
    for count in 1..=40 {
        push(&outbox.store).await;
        outbox.receiver.wait_for(before + count).await;
        outbox.wait_for(i64::try_from(before + count).unwrap(), "delivered").await;
    }
    // The poll alone would take about forty seconds.
    assert!(began.elapsed() < seconds(25), "{:?}", began.elapsed());
    drop(busy);
    idle.shutdown().await;
}

async fn a_pool_outlives_its_connections() {
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
