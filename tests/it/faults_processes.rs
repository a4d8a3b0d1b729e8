//! SIGKILL, SIGSTOP and SIGTERM during delivery: no event is lost, and none is repeated without need.

use crate::harness::{Answer, Blackhole, Engine, Process, eventually};
use crate::outbox::fixture::{Outbox, insert_interrupted_claim, seed, wait_for_reaper};
use crate::outbox::service::Service;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

both_engines![
    sigkill_before_post_repeats_nothing,
    sigkill_before_response_repeats_one_event,
    sigkill_before_outcome_is_recorded_repeats_one_event,
    only_event_that_kills_process_fails,
    nothing_starts_beside_interrupted_event,
    sigterm_under_load_sends_nothing_twice,
    resumed_process_changes_nothing,
    resumed_process_sends_nothing_late,
];

async fn sigkill_before_post_repeats_nothing(engine: Engine) {
    let service = Service::new(engine, &[("SVC_WEBHOOK_WORKER_COUNT", "1")]).await;
    service.push(5).await;
    let blackhole = Blackhole::start().await;
    let process = service.start_beside(&[("SVC_WEBHOOK_URL", &blackhole.url())]).await;
    service.wait_where(1, "started IS TRUE").await;
    process.kill();
    let _process = service.start().await;
    service.wait_for(5, "delivered").await;
    assert!(service.times_received().values().eq(&[1; 5]));
    assert_eq!(service.count("attempts = 1").await, 4);
    assert_eq!(service.count("attempts = 2").await, 1);
}

async fn sigkill_before_response_repeats_one_event(engine: Engine) {
    let service = Service::new(engine, &[("SVC_WEBHOOK_WORKER_COUNT", "1")]).await;
    service.receiver.answer_next([Answer::Silence]);
    service.push(5).await;
    let process = service.start().await;
    let first = service.receiver.wait_for(1).await[0].id().to_owned();
    process.kill();
    let _process = service.start().await;
    service.wait_for(5, "delivered").await;
    expect_only_twice(&service, &first);
    assert_eq!(service.count("attempts = 2").await, 1);
}

async fn sigkill_before_outcome_is_recorded_repeats_one_event(engine: Engine) {
    let service = Service::new(engine, &[("SVC_WEBHOOK_WORKER_COUNT", "1")]).await;
    let (go, closed) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let answer = Answer::UntilClosed(b"HTTP/1.1 204 Thanks\r\n\r\n".to_vec(), closed.clone());
    service.receiver.answer_next([Answer::Held(go.clone(), Box::new(answer))]);
    service.push(5).await;
    let process = service.start().await;
    let first = service.receiver.wait_for(1).await[0].id().to_owned();
    let lock = service.database().hold_outbox().await;
    go.add_permits(1);
    closed.acquire().await.unwrap().forget();
    if engine == Engine::Postgres {
        service.database().wait_for_blocked(1).await;
    }
    process.kill();
    lock.release().await;
    assert_eq!(service.count("state = 'delivered'").await, 0);
    let _process = service.start().await;
    service.wait_for(5, "delivered").await;
    expect_only_twice(&service, &first);
    // The start of the next attempt may have waited beside the outcome; PostgreSQL executes it after the lock although
    // the client is gone.
    let repeated = service.count("attempts = 2").await;
    assert!((1..=2).contains(&repeated), "{repeated}");
}

/// Fails unless five events were received, this one twice and the others once.
fn expect_only_twice(service: &Service, id: &str) {
    let times = service.times_received();
    assert_eq!(times.len(), 5);
    for (event, times) in times {
        assert_eq!(times, if event == id { 2 } else { 1 }, "{event}");
    }
}

/// All 64 events are in flight at the first kill, so each of them is suspected.
async fn only_event_that_kills_process_fails(engine: Engine) {
    let service = Service::new(engine, &[("SVC_WEBHOOK_WORKER_COUNT", "64")]).await;
    service.receiver.answer_always(Answer::Silence);
    service.push(64).await;
    let mut process = service.start().await;
    let all = service.receiver.wait_for(64).await;
    let killer = all[20].id().to_owned();
    service.receiver.answer_event(&killer, Answer::Silence);
    service.receiver.answer_always(Answer::Status(204));
    for times in 2..=3 {
        process.kill();
        process = service.start().await;
        wait_for_event(&service, &killer, times).await;
    }
    process.kill();
    let _process: Process = service.start().await;
    service.push(6).await;
    service.wait_for(1, "failed").await;
    service.wait_for(69, "delivered").await;
    let times = service.times_received();
    assert_eq!(times[&killer], 3);
    assert!(times.values().filter(|times| **times > 2).eq(&[3]), "{times:?}");
    assert_eq!(service.count("state = 'failed' AND attempts = 3").await, 1);
    assert_eq!(service.count("state = 'delivered' AND attempts = 2").await, 63);
    assert_eq!(service.count("state = 'delivered' AND attempts = 1").await, 6);
}

async fn wait_for_event(service: &Service, id: &str, times: usize) {
    let received = async || (service.times_received().get(id) == Some(&times)).then_some(());
    eventually("the killer event is repeated", received).await;
}

/// Attempts started ahead of their slot would be lost if the interrupted event killed the process.
async fn nothing_starts_beside_interrupted_event(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    let workers = outbox.work(&[("WEBHOOK_WORKER_COUNT", "4"), ("WEBHOOK_STALE_REAPER_INTERVAL", "100ms")]);
    seed(&outbox.database, 300).await;
    outbox.wait_for(300, "delivered").await;
    let go = Arc::new(Semaphore::new(0));
    outbox.receiver.answer_always(Answer::Held(go.clone(), Box::new(Answer::Status(204))));
    insert_interrupted_claim(&outbox.database).await;
    outbox.receiver.wait_for(301).await;
    seed(&outbox.database, 40).await;
    let claimed_ahead = async || (outbox.count("processing").await > 1).then_some(());
    eventually("others are claimed", claimed_ahead).await;
    wait_for_reaper(&outbox.database).await;
    assert_eq!(outbox.count_where("outbox", "state = 'processing' AND started IS TRUE").await, 1);
    go.add_permits(100);
    outbox.wait_for(341, "delivered").await;
    workers.shutdown().await;
}

async fn sigterm_under_load_sends_nothing_twice(engine: Engine) {
    let service = Service::new(engine, &[("SVC_WEBHOOK_WORKER_COUNT", "8")]).await;
    let slow = Answer::After(Duration::from_millis(50), Box::new(Answer::Status(204)));
    service.receiver.answer_always(slow);
    service.push(300).await;
    for count in [1, 60, 120] {
        let mut process = service.start().await;
        service.receiver.wait_for(count).await;
        process.signal("TERM");
        assert_eq!(process.wait().await.code(), Some(0), "{}", process.stderr());
        let received = i64::try_from(service.receiver.received().len()).unwrap();
        assert_eq!(service.count("state = 'delivered'").await, received, "running deliveries were finished");
        assert_eq!(service.count("state = 'pending' AND attempts = 0").await, 300 - received, "the rest was released");
    }
    let _process = service.start().await;
    service.wait_for(300, "delivered").await;
    let times = service.times_received();
    assert_eq!(times.len(), 300);
    assert!(times.values().all(|times| *times == 1), "{times:?}");
}

async fn resumed_process_changes_nothing(engine: Engine) {
    let service = Service::new(engine, &[("SVC_WEBHOOK_WORKER_COUNT", "1"), ("SVC_LOG", "doorward=debug")]).await;
    let go = Arc::new(Semaphore::new(0));
    service.receiver.answer_next([Answer::Held(go.clone(), Box::new(Answer::Status(204)))]);
    service.push(1).await;
    let stopped = service.start().await;
    let first = service.receiver.wait_for(1).await[0].id().to_owned();
    service.receiver.answer_event(&first, Answer::Status(400));
    stop_between_writes(&service, &stopped).await;
    service.push(20).await;
    let _other = service.start_beside(&[]).await;
    service.wait_for(20, "delivered").await;
    service.wait_for(1, "failed").await;
    go.add_permits(1);
    stopped.signal("CONT");
    let lost = async || stopped.stderr().contains("its claim was lost").then_some(());
    eventually("the late outcome is discarded", lost).await;
    assert_eq!(service.count("state = 'failed' AND attempts = 2").await, 1);
    let times = service.times_received();
    assert_eq!(times.len(), 21);
    assert!(times.iter().all(|(id, times)| *times == if *id == first { 2 } else { 1 }), "{times:?}");
}

/// Stops a process while none of its transactions is open. One that it kept open while stopped would hold locks for
/// which the other process waits: SQLite's write lock, which the test holds meanwhile, or rows of PostgreSQL.
async fn stop_between_writes(service: &Service, process: &Process) {
    let stopped = async || {
        let lock = service.database().hold_outbox().await;
        process.stop().await;
        lock.release().await;
        let open = service.database().open_transactions().await;
        if open > 0 {
            process.signal("CONT");
        }
        (open == 0).then_some(())
    };
    eventually("the process is stopped between transactions", stopped).await;
}

/// Attempts that it started ahead of their slots before the stop are not sent after SIGCONT.
async fn resumed_process_sends_nothing_late(engine: Engine) {
    let service = Service::new(engine, &[("SVC_WEBHOOK_WORKER_COUNT", "4"), ("SVC_LOG", "doorward=debug")]).await;
    seed(service.database(), 500).await;
    let mut stopped = service.start().await;
    service.wait_for(500, "delivered").await;
    let go = Arc::new(Semaphore::new(0));
    service.receiver.answer_next((0..4).map(|_| Answer::Held(go.clone(), Box::new(Answer::Status(204)))));
    seed(service.database(), 60).await;
    let in_flight: Vec<String> =
        service.receiver.wait_for(504).await[500..].iter().map(|one| one.id().into()).collect();
    let ahead = async || (service.count("state = 'processing' AND started IS TRUE").await > 4).then_some(());
    eventually("attempts are started ahead of their slots", ahead).await;
    stop_between_writes(&service, &stopped).await;
    let other = service.start_beside(&[]).await;
    service.wait_for(560, "delivered").await;
    go.add_permits(4);
    stopped.signal("CONT");
    let lost = async || (stopped.stderr().matches("its claim was lost").count() >= 4).then_some(());
    eventually("the late outcomes are discarded", lost).await;
    // It sends in claim order, so that events claimed before the stop would be sent before this one.
    other.kill();
    service.push(1).await;
    service.wait_for(561, "delivered").await;
    stopped.signal("TERM");
    assert_eq!(stopped.wait().await.code(), Some(0), "{}", stopped.stderr());
    let times = service.times_received();
    let repeated: Vec<&String> = times.iter().filter(|(_, times)| **times > 1).map(|(id, _)| id).collect();
    assert!(repeated.iter().all(|id| in_flight.contains(id)), "{repeated:?}");
    assert_eq!(service.count("state = 'delivered'").await, 561);
}
