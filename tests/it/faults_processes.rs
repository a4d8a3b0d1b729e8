//! Processes that are killed, stopped and ended while they deliver: no event is lost, and none comes twice without need.

use crate::harness::{Answer, Blackhole, Engine, Process, eventually};
use crate::outbox::fixture::{Outbox, seconds, seed};
use crate::outbox::service::Service;
use doorward::model::event::Event;
use doorward::model::ids::UserId;
use doorward::random;
use doorward::store::Channel;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

both![
    killed_before_the_post_nothing_comes_twice,
    killed_before_the_answer_one_comes_twice,
    killed_before_the_answer_is_recorded_one_comes_twice,
    only_the_event_that_kills_fails,
    nothing_begins_beside_what_may_kill,
    sigterm_under_load_sends_nothing_twice,
    a_process_that_was_stopped_changes_nothing_later,
    a_process_that_was_stopped_sends_nothing_late,
];

async fn killed_before_the_post_nothing_comes_twice(engine: Engine) {
    let service = Service::new(engine, &[("SVC_WEBHOOK_WORKER_COUNT", "1")]).await;
    service.push(5).await;
    let nowhere = Blackhole::start().await;
    let process = service.start_beside(&[("SVC_WEBHOOK_URL", &nowhere.url())]).await;
    service.wait_where(1, "started IS TRUE").await;
    process.kill();
    let _process = service.start().await;
    service.wait_for(5, "delivered").await;
    assert!(service.times_received().values().eq(&[1; 5]));
    assert_eq!(service.count("attempts = 1").await, 4);
    assert_eq!(service.count("attempts = 2").await, 1);
}

async fn killed_before_the_answer_one_comes_twice(engine: Engine) {
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

async fn killed_before_the_answer_is_recorded_one_comes_twice(engine: Engine) {
    let service = Service::new(engine, &[("SVC_WEBHOOK_WORKER_COUNT", "1")]).await;
    let go = Arc::new(Semaphore::new(0));
    service.receiver.answer_next([Answer::Held(go.clone(), Box::new(Answer::Status(204)))]);
    service.push(5).await;
    let process = service.start().await;
    let first = service.receiver.wait_for(1).await[0].id().to_owned();
    let lock = service.database().hold_outbox().await;
    go.add_permits(1);
    service.database().wait_for_blocked(1).await;
    process.kill();
    lock.release().await;
    assert_eq!(service.count("state = 'delivered'").await, 0);
    let _process = service.start().await;
    service.wait_for(5, "delivered").await;
    expect_only_twice(&service, &first);
    // The beginning of the next attempt may have waited beside the outcome. PostgreSQL carries it out when the lock is gone,
    // and does not know that nobody is there any more to send it.
    let counted = service.count("attempts = 2").await;
    assert!((1..=2).contains(&counted), "{counted}");
}

/// Fails unless five events came once each, and this one once more.
fn expect_only_twice(service: &Service, id: &str) {
    let times = service.times_received();
    assert_eq!(times.len(), 5);
    for (event, times) in times {
        assert_eq!(times, if event == id { 2 } else { 1 }, "{event}");
    }
}

/// All sixty-four are under way when it kills for the first time, so each of them may have been the one.
async fn only_the_event_that_kills_fails(engine: Engine) {
    let service = Service::new(engine, &[("SVC_WEBHOOK_WORKER_COUNT", "64")]).await;
    service.receiver.answer_always(Answer::Silence);
    service.push(64).await;
    let mut process = service.start().await;
    let all = service.receiver.wait_for(64).await;
    let deadly = all[20].id().to_owned();
    service.receiver.answer_event(&deadly, Answer::Silence);
    service.receiver.answer_always(Answer::Status(204));
    for times in 2..=3 {
        process.kill();
        process = service.start().await;
        wait_for_event(&service, &deadly, times).await;
    }
    process.kill();
    let _process: Process = service.start().await;
    service.push(6).await;
    service.wait_for(1, "failed").await;
    service.wait_for(69, "delivered").await;
    let times = service.times_received();
    assert_eq!(times[&deadly], 3);
    assert!(times.values().filter(|times| **times > 2).eq(&[3]), "{times:?}");
    assert_eq!(service.count("state = 'failed' AND attempts = 3").await, 1);
    assert_eq!(service.count("state = 'delivered' AND attempts = 2").await, 63);
    assert_eq!(service.count("state = 'delivered' AND attempts = 1").await, 6);
}

async fn wait_for_event(service: &Service, id: &str, times: usize) {
    let came = async || (service.times_received().get(id) == Some(&times)).then_some(());
    eventually("the deadly event comes again", came).await;
}

/// However fast deliveries are: what is begun ahead of its slot would lose an attempt with the process.
async fn nothing_begins_beside_what_may_kill(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    let workers = outbox.work(&[("WEBHOOK_WORKER_COUNT", "4"), ("WEBHOOK_STALE_REAPER_INTERVAL", "100ms")]);
    seed(&outbox.database, 300).await;
    outbox.wait_for(300, "delivered").await;
    let go = Arc::new(Semaphore::new(0));
    outbox.receiver.answer_always(Answer::Held(go.clone(), Box::new(Answer::Status(204))));
    let mut tx = outbox.store.begin().await.unwrap();
    tx.outbox_push(&Event::UserCreated { user_id: UserId(random::uuid_v4().unwrap()) }).await.unwrap();
    let claimed = tx.outbox_claim(Channel::Webhook, 1).await.unwrap();
    assert_eq!(tx.outbox_start(&[claimed[0].held()]).await.unwrap().len(), 1);
    tx.commit().await.unwrap();
    outbox.clock.advance(seconds(121));
    outbox.receiver.wait_for(301).await;
    seed(&outbox.database, 40).await;
    let ahead = async || (outbox.count("processing").await > 1).then_some(());
    eventually("others are claimed", ahead).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
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
        assert_eq!(service.count("state = 'delivered'").await, received, "what ran was finished");
        assert_eq!(
            service.count("state = 'pending' AND attempts = 0").await,
            300 - received,
            "the rest was given back"
        );
    }
    let _process = service.start().await;
    service.wait_for(300, "delivered").await;
    let times = service.times_received();
    assert_eq!(times.len(), 300);
    assert!(times.values().all(|times| *times == 1), "{times:?}");
}

async fn a_process_that_was_stopped_changes_nothing_later(engine: Engine) {
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
    eventually("the late answer is passed over", lost).await;
    assert_eq!(service.count("state = 'failed' AND attempts = 2").await, 1);
    let times = service.times_received();
    assert_eq!(times.len(), 21);
    assert!(times.iter().all(|(id, times)| *times == if *id == first { 2 } else { 1 }), "{times:?}");
}

/// Stops a process at a moment when it does not hold SQLite's one right to write, which it would keep while stopped: this
/// story holds it meanwhile.
async fn stop_between_writes(service: &Service, process: &Process) {
    let lock = service.database().hold_outbox().await;
    process.stop().await;
    lock.release().await;
}

/// It has begun some ahead of their slots when it is stopped; those must not go out when it continues.
async fn a_process_that_was_stopped_sends_nothing_late(engine: Engine) {
    let service = Service::new(engine, &[("SVC_WEBHOOK_WORKER_COUNT", "4"), ("SVC_LOG", "doorward=debug")]).await;
    seed(service.database(), 500).await;
    let stopped = service.start().await;
    service.wait_for(500, "delivered").await;
    let go = Arc::new(Semaphore::new(0));
    service.receiver.answer_next((0..4).map(|_| Answer::Held(go.clone(), Box::new(Answer::Status(204)))));
    seed(service.database(), 60).await;
    let under_way: Vec<String> =
        service.receiver.wait_for(504).await[500..].iter().map(|one| one.id().into()).collect();
    stop_between_writes(&service, &stopped).await;
    let _other = service.start_beside(&[]).await;
    service.wait_for(560, "delivered").await;
    go.add_permits(4);
    stopped.signal("CONT");
    let lost = async || (stopped.stderr().matches("its claim was lost").count() >= 4).then_some(());
    eventually("the late answers are passed over", lost).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let times = service.times_received();
    let again: Vec<&String> = times.iter().filter(|(_, times)| **times > 1).map(|(id, _)| id).collect();
    assert!(again.iter().all(|id| under_way.contains(id)), "{again:?}");
    assert_eq!(service.count("state = 'delivered'").await, 560);
}
