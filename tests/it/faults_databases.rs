//! Database outages while webhooks are delivered: no event is lost, and none is repeated without need.

use crate::harness::{Answer, Engine, Process, Proxy, eventually, scaled};
use crate::outbox::fixture::{Outbox, open, push, seconds, seed};
use crate::outbox::service::Service;
use doorward::delivery::Workers;
use doorward::model::principal::{Operation, Principal};
use doorward::store::Store;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

once_on_postgres![
    connection_lost_before_claim_response_repeats_nothing,
    connection_lost_while_attempts_start_repeats_nothing,
    connection_lost_before_outcome_is_written_repeats_nothing,
    repeatedly_killed_connections_repeat_nothing,
    database_server_restart_repeats_nothing,
    poll_finds_events_without_notifications,
    two_processes_send_each_event_once,
    eight_processes_send_each_event_once,
];
single_run![locked_file_loses_and_repeats_nothing, full_disk_loses_and_repeats_nothing];

const WORKERS: [(&str, &str); 2] = [("WEBHOOK_WORKER_COUNT", "4"), ("WEBHOOK_STALE_REAPER_INTERVAL", "100ms")];

/// An outbox whose pool connects to the database through a proxy.
struct ProxiedOutbox {
    outbox: Outbox,
    proxy: Proxy,
    store: Store,
}

impl ProxiedOutbox {
    async fn new() -> Self {
        let outbox = Outbox::new(Engine::Postgres).await;
        let server = outbox.database.server_address();
        let proxy = Proxy::start(server).await;
        let url = outbox.database.url().replace(server, &proxy.address().to_string());
        let store = open(&url, &outbox.clock).await;
        Self { outbox, proxy, store }
    }

    /// One attempt is allowed; a lost claim is found after a second.
    fn work(&self) -> Workers {
        let variables = [
            ("WEBHOOK_TIMEOUT", "500ms"),
            ("WEBHOOK_PROCESSING_STALE_AFTER", "1s"),
            ("WEBHOOK_STALE_REAPER_INTERVAL", "100ms"),
            ("WEBHOOK_MAX_DELIVERY_ATTEMPTS", "1"),
        ];
        self.outbox.work_on(&self.store, &self.outbox.receiver.url(), &variables)
    }

    async fn drop_connections(&self) {
        self.proxy.cut_all().await;
        self.proxy.restore();
    }

    async fn expect_each_once(&self, count: i64) {
        self.outbox.wait_for(count, "delivered").await;
        self.outbox.expect_each_once(usize::try_from(count).unwrap());
        assert_eq!(self.outbox.count_where("outbox", "attempts = 1").await, count);
    }
}

async fn connection_lost_before_claim_response_repeats_nothing() {
    let proxied = ProxiedOutbox::new().await;
    proxied.outbox.push(5).await;
    let lock = proxied.outbox.database.hold_outbox().await;
    let workers = proxied.work();
    // The claim and the reaper.
    proxied.outbox.database.wait_for_blocked(2).await;
    proxied.drop_connections().await;
    // Now the server claims for a connection that is gone.
    lock.release().await;
    proxied.expect_each_once(5).await;
    workers.shutdown().await;
}

async fn connection_lost_while_attempts_start_repeats_nothing() {
    let proxied = ProxiedOutbox::new().await;
    let database = &proxied.outbox.database;
    database
        .execute(
            "CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql \
             AS 'BEGIN PERFORM pg_sleep(0.3); RETURN NEW; END'",
        )
        .await;
    database
        .execute(
            "CREATE TRIGGER dawdle BEFORE UPDATE ON outbox FOR EACH ROW WHEN (NEW.started AND NOT OLD.started) \
             EXECUTE FUNCTION dawdle()",
        )
        .await;
    proxied.outbox.push(3).await;
    let workers = proxied.work();
    let sleeping = async || database.count("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'").await;
    eventually("an attempt starts", async || (sleeping().await > 0).then_some(())).await;
    proxied.drop_connections().await;
    // Waits until the server has started the attempt for a connection that is gone.
    database.execute("DROP TRIGGER dawdle ON outbox").await;
    proxied.expect_each_once(3).await;
    workers.shutdown().await;
}

async fn connection_lost_before_outcome_is_written_repeats_nothing() {
    let proxied = ProxiedOutbox::new().await;
    let go = Arc::new(Semaphore::new(0));
    proxied.outbox.receiver.answer_next([Answer::Held(go.clone(), Box::new(Answer::Status(204)))]);
    proxied.outbox.push(1).await;
    let workers = proxied.work();
    proxied.outbox.receiver.wait_for(1).await;
    let lock = proxied.outbox.database.hold_outbox().await;
    go.add_permits(1);
    proxied.outbox.database.wait_for_blocked(1).await;
    proxied.drop_connections().await;
    lock.release().await;
    proxied.expect_each_once(1).await;
    workers.shutdown().await;
}

async fn repeatedly_killed_connections_repeat_nothing() {
    let outbox = Outbox::new(Engine::Postgres).await;
    seed(&outbox.database, 2000).await;
    let workers = outbox.work(&WORKERS);
    for round in 1..=20 {
        outbox.receiver.wait_for(80 * round).await;
        let kill = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
            WHERE application_name = 'doorward' AND datname = current_database()";
        outbox.database.count(kill).await;
    }
    // Claims whose response was lost wait until their lease expires.
    let unfinished = "state IN ('pending', 'processing') AND NOT (state = 'processing' AND started IS FALSE)";
    outbox.wait_where(0, "outbox", unfinished).await;
    // Workers send what they have claimed and not begun: with their end, only claims without a holder are left.
    workers.shutdown().await;
    outbox.clock.advance(seconds(121));
    let workers = outbox.work(&WORKERS);
    outbox.wait_for(2000, "delivered").await;
    outbox.expect_each_once(2000);
    assert_eq!(outbox.count_where("outbox", "attempts = 1").await, 2000);
    workers.shutdown().await;
}

async fn database_server_restart_repeats_nothing() {
    let outbox = Outbox::on_own_server().await;
    seed(&outbox.database, 1000).await;
    let answer = Answer::After(Duration::from_millis(5), Box::new(Answer::Status(204)));
    outbox.receiver.answer_always(answer);
    let workers = outbox.work(&WORKERS);
    outbox.receiver.wait_for(200).await;
    outbox.database.restart_server().await;
    let unfinished = "state IN ('pending', 'processing') AND NOT (state = 'processing' AND started IS FALSE)";
    outbox.wait_where(0, "outbox", unfinished).await;
    // Workers send what they have claimed and not begun: with their end, only claims without a holder are left.
    workers.shutdown().await;
    outbox.clock.advance(seconds(121));
    let workers = outbox.work(&WORKERS);
    outbox.wait_for(1000, "delivered").await;
    outbox.expect_each_once(1000);
    // Notifications work again, too.
    push(&outbox.other_store().await).await;
    outbox.wait_for(1001, "delivered").await;
    workers.shutdown().await;
}

async fn poll_finds_events_without_notifications() {
    let outbox = Outbox::new(Engine::Postgres).await;
    let other = outbox.other_store().await;
    let workers = outbox.work(&[]);
    for count in 1..=3 {
        let kill_listener = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
            WHERE datname = current_database() AND query LIKE 'LISTEN%'";
        eventually("a listener", async || (outbox.database.count(kill_listener).await == 1).then_some(())).await;
        push(&other).await;
        outbox.receiver.wait_for(count).await;
    }
    workers.shutdown().await;
}

async fn two_processes_send_each_event_once() {
    processes_send_each_event_once(2, scaled(5000, 20_000)).await;
}

async fn eight_processes_send_each_event_once() {
    processes_send_each_event_once(8, scaled(2000, 20_000)).await;
}

async fn processes_send_each_event_once(processes: usize, events: usize) {
    // A long lease, so that no claim expires on a busy machine.
    let variables = [
        ("SVC_WEBHOOK_WORKER_COUNT", "4"),
        ("SVC_WEBHOOK_PROCESSING_STALE_AFTER", "10m"),
        ("SVC_LOG", "doorward=debug"),
    ];
    let service = Service::new(Engine::Postgres, &variables).await;
    let mut running = vec![service.start().await];
    for _ in 1..processes {
        running.push(service.start_beside(&[]).await);
    }
    seed(service.database(), events).await;
    let all = i64::try_from(events).unwrap();
    service.wait_for(all, "delivered").await;
    let times = service.times_received();
    assert_eq!(times.len(), events);
    assert!(times.values().all(|times| *times == 1), "{:?}", times.iter().find(|(_, times)| **times > 1));
    assert_eq!(service.count("attempts = 1").await, all);
    let busy = running.iter().filter(|process| process.stderr().contains("webhooks claimed")).count();
    assert!(busy > 1, "one process delivered everything");
    for mut process in running {
        process.signal("TERM");
        assert_eq!(process.wait().await.code(), Some(0), "{}", process.stderr());
        assert!(!process.stderr().contains("claim was lost"), "{}", process.stderr());
    }
}

async fn locked_file_loses_and_repeats_nothing() {
    let outbox = Outbox::new(Engine::Sqlite).await;
    outbox.receiver.answer_always(Answer::After(Duration::from_millis(20), Box::new(Answer::Status(204))));
    let workers = outbox.work(&[("WEBHOOK_WORKER_COUNT", "4")]);
    seed(&outbox.database, 300).await;
    outbox.receiver.wait_for(40).await;
    let lock = outbox.database.hold_outbox().await;
    assert!(outbox.count("delivered").await < 300, "some are still to be delivered");
    // A write fails after five seconds (busy timeout); so do those of the workers in the same queue.
    outbox.store.begin(&Principal::operator(), Operation::ManageInstance).await.map(drop).unwrap_err();
    lock.release().await;
    outbox.wait_for(300, "delivered").await;
    outbox.expect_each_once(300);
    assert_eq!(outbox.count_where("outbox", "attempts = 1").await, 300);
    workers.shutdown().await;
}

async fn full_disk_loses_and_repeats_nothing() {
    let service = Service::new(Engine::Sqlite, &[("SVC_RATE_LIMIT", "off"), ("SVC_WEBHOOK_WORKER_COUNT", "4")]).await;
    let mut variables = service.variables().clone();
    // A long lease, so that deliveries are not repeated while the disk is full.
    variables.insert("SVC_WEBHOOK_PROCESSING_STALE_AFTER".to_owned(), "2m".to_owned());
    service.receiver.answer_always(Answer::After(Duration::from_millis(20), Box::new(Answer::Status(204))));
    let process = Process::start_on_small_disk(&variables, 400 * 1024).await;
    let mut accounts = 0;
    while service.sign_up(accounts).await == 303 {
        accounts += 1;
        assert!(accounts < 500, "the disk is not full: {}", process.stderr());
    }
    let is_refusal = |line: &str| line.contains("the database does not commit");
    // If everything is delivered when the disk becomes full, there is nothing left to write.
    let all = 3 * i64::try_from(accounts).unwrap();
    let refused = async || {
        let done = service.count("state = 'delivered'").await == all;
        (done || process.stderr().lines().any(is_refusal)).then_some(())
    };
    eventually("a failed write, unless all is delivered", refused).await;
    process.free_disk();
    let users = service.database().count("SELECT count(*) FROM users").await;
    service.wait_for(3 * users, "delivered").await;
    let times = service.times_received();
    assert!(times.values().all(|times| *times == 1), "{times:?}");
    assert_eq!(times.len(), usize::try_from(3 * users).unwrap());
}
