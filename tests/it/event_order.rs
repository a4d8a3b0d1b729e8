//! The order of events: those of one user or organization go one after the other, by however many workers and processes
//! (docs/reference/webhooks.md 13.6).

use crate::harness::{
    Answer, Engine, Process, Receiver, TestDatabase, begin, eventually, previous_program, push_event, read, report,
};
use crate::organizations::{create_team, member, user_id};
use crate::outbox::fixture::{Outbox, open, seconds, seed};
use crate::outbox::service::Service;
use crate::outbox::steps::{claim, claim_looking};
use doorward::clock::Clock;
use doorward::model::ids::UserId;
use doorward::random;
use doorward::store::{Look, OUTBOX_BATCH, Store};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::Instant;

both_engines![
    events_of_one_subject_go_one_after_the_other,
    failing_receiver_gets_them_in_order,
    retry_holds_nothing_up,
    busy_subject_holds_no_other_up,
    claim_looks_further_after_one_that_set_some_aside,
    subject_alone_waits_for_no_poll,
    killed_process_holds_nothing_up,
    reaper_finds_forgotten_turn,
    rows_without_subject_have_no_order,
    changes_of_one_member_have_the_order_of_their_locks,
    later_event_is_later_whatever_the_clocks_say,
    events_of_one_transaction_follow_the_latest_of_their_subjects,
    old_times_of_subjects_are_removed,
];
once_on_postgres![
    order_is_that_of_the_lock_not_of_the_beginning,
    previous_version_beside_loses_nothing,
    waiting_events_make_others_read_no_more,
];

fn user() -> UserId {
    UserId(random::uuid_v4().unwrap())
}

async fn push(store: &Store, user: UserId) {
    let mut tx = begin(store).await;
    push_event(&mut tx, user).await;
    tx.commit().await.unwrap();
}

/// Pushes events of these users by turns.
async fn push_rounds(store: &Store, users: &[UserId], rounds: usize) {
    for _ in 0..rounds {
        for user in users {
            push(store, *user).await;
        }
    }
}

fn answer_after(millis: u64, status: u16) -> Answer {
    Answer::After(Duration::from_millis(millis), Box::new(Answer::Status(status)))
}

/// Fails if two attempts of one subject were made at once, or a first attempt before that of an earlier event.
async fn expect_order(database: &TestDatabase) {
    let ended = if database.url().starts_with("sqlite:") {
        "a.started_at + a.duration_us"
    } else {
        "a.started_at + a.duration_us * interval '1 microsecond'"
    };
    let at_once = format!(
        "SELECT count(*) FROM outbox_attempts a JOIN outbox e ON e.id = a.delivery_id \
         JOIN outbox o ON o.subject = e.subject JOIN outbox_attempts b ON b.delivery_id = o.id \
         WHERE (a.delivery_id <> b.delivery_id OR a.lease <> b.lease) \
         AND b.started_at >= a.started_at AND b.started_at < {ended}"
    );
    assert_eq!(database.count(&at_once).await, 0, "attempts of one subject overlap");
    let first = |of: &str| format!("(SELECT min(started_at) FROM outbox_attempts WHERE delivery_id = {of}.id)");
    let disorder = format!(
        "SELECT count(*) FROM outbox e JOIN outbox o ON o.subject = e.subject AND o.id > e.id WHERE {} > {}",
        first("e"),
        first("o")
    );
    assert_eq!(database.count(&disorder).await, 0, "a later event was sent before an earlier one");
}

async fn events_of_one_subject_go_one_after_the_other(engine: Engine) {
    let service = Service::new(engine, &[("SVC_WEBHOOK_WORKER_COUNT", "4")]).await;
    service.receiver.answer_always(answer_after(20, 204));
    let _processes = [service.start().await, service.start_beside(&[]).await];
    let users: Vec<UserId> = (0..10).map(|_| user()).collect();
    push_rounds(&service.store, &users, 8).await;
    service.wait_for(80, "delivered").await;
    assert!(service.times_received().values().all(|times| *times == 1));
    assert!(service.receiver.max_concurrent_requests() > 1, "other subjects go at the same time");
    expect_order(service.database()).await;
}

async fn failing_receiver_gets_them_in_order(engine: Engine) {
    let variables = [("SVC_WEBHOOK_WORKER_COUNT", "4"), ("SVC_WEBHOOK_RETRY_DELAYS", "50ms")];
    let service = Service::new(engine, &variables).await;
    service.receiver.answer_always(answer_after(10, 500));
    let _processes = [service.start().await, service.start_beside(&[]).await];
    push_rounds(&service.store, &[user(), user()], 5).await;
    service.wait_for(10, "failed").await;
    assert!(service.times_received().values().all(|times| *times == 3));
    expect_order(service.database()).await;
}

async fn retry_holds_nothing_up(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox.receiver.answer_next([Answer::Status(500)]);
    let user = user();
    push_rounds(&outbox.store, &[user], 3).await;
    let workers = outbox.work(&[("WEBHOOK_WORKER_COUNT", "4"), ("WEBHOOK_RETRY_DELAYS", "1h")]);
    let sent = outbox.receiver.wait_for(3).await;
    outbox.wait_for(2, "delivered").await;
    outbox.clock.advance(seconds(3601));
    let all = outbox.receiver.wait_for(4).await;
    assert_eq!(all[3].id(), sent[0].id());
    outbox.wait_for(3, "delivered").await;
    expect_order(&outbox.database).await;
    workers.shutdown().await;
}

async fn busy_subject_holds_no_other_up(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    let go = Arc::new(Semaphore::new(0));
    outbox.receiver.answer_next([Answer::Held(go.clone(), Box::new(Answer::Status(204)))]);
    // More than a claim looks at.
    let (busy, other) = (user(), user());
    push_rounds(&outbox.store, &[busy], 150).await;
    push(&outbox.store, other).await;
    let workers = outbox.work(&[("WEBHOOK_WORKER_COUNT", "2"), ("WEBHOOK_TIMEOUT", "60s")]);
    let sent = outbox.receiver.wait_for(2).await;
    let users: Vec<_> = sent.iter().map(|one| one.json()["data"]["user_id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(users, [busy.to_string(), other.to_string()]);
    outbox.wait_where(149, "outbox", "state = 'pending' AND waits IS NOT NULL").await;
    go.add_permits(1);
    outbox.wait_for(151, "delivered").await;
    expect_order(&outbox.database).await;
    workers.shutdown().await;
}

/// Those of a busy subject, however many they are, are passed over in batches, not by as many as can be sent.
async fn claim_looks_further_after_one_that_set_some_aside(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    push_rounds(&outbox.store, &[user()], OUTBOX_BATCH + 4).await;
    push(&outbox.store, user()).await;
    let near = claim_looking(&outbox.store, 2, Look::Near).await;
    assert_eq!((near.claimed.len(), near.is_crowded), (1, true));
    let far = claim_looking(&outbox.store, 2, Look::Far).await;
    assert_eq!((far.claimed.len(), far.is_crowded, far.is_full), (0, true, true));
    let rest = claim_looking(&outbox.store, 2, Look::Far).await;
    assert_eq!((rest.claimed.len(), rest.is_crowded, rest.is_full), (1, true, false), "the other subject");
    outbox.wait_where(2, "outbox", "state = 'processing'").await;
    outbox.wait_where(i64::try_from(OUTBOX_BATCH + 3).unwrap(), "outbox", "waits IS NOT NULL").await;
}

async fn subject_alone_waits_for_no_poll(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    push_rounds(&outbox.store, &[user()], 60).await;
    let start = Instant::now();
    let workers = outbox.work(&[]);
    outbox.wait_for(60, "delivered").await;
    // The poll alone would take about a minute.
    assert!(start.elapsed() < seconds(30), "{:?}", start.elapsed());
    expect_order(&outbox.database).await;
    workers.shutdown().await;
}

async fn killed_process_holds_nothing_up(engine: Engine) {
    let service = Service::new(engine, &[("SVC_WEBHOOK_WORKER_COUNT", "4")]).await;
    service.receiver.answer_next([Answer::Silence, Answer::Silence]);
    push_rounds(&service.store, &[user(), user()], 4).await;
    let process = service.start().await;
    service.receiver.wait_for(2).await;
    let _other = service.start_beside(&[]).await;
    process.kill();
    service.wait_for(8, "delivered").await;
    expect_order(service.database()).await;
    assert_eq!(service.count("attempts = 2").await, 2);
}

/// A process that is killed between the end of an attempt and passing the turn on, or one of the previous version.
async fn reaper_finds_forgotten_turn(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    push_rounds(&outbox.store, &[user(), user()], 3).await;
    assert_eq!(claim(&outbox.store, 64).await.len(), 2, "the first of each");
    assert!(claim(&outbox.store, 64).await.is_empty());
    outbox.database.execute("UPDATE outbox SET state = 'delivered', finished_at = due_at WHERE lease = 1").await;
    assert!(claim(&outbox.store, 64).await.is_empty());
    let workers = outbox.work(&[]);
    outbox.wait_for(6, "delivered").await;
    assert_eq!(outbox.receiver.received().len(), 4);
    workers.shutdown().await;
}

/// It knows no order: it claims whatever is pending, and passes no turn on. Meanwhile all arrive once, and when it has
/// ended they are in order again.
async fn previous_version_beside_loses_nothing() {
    let Some(program) = previous_program() else {
        return report("SKIPPED: the previous version beside this one: DOORWARD_TEST_PREVIOUS names no program.");
    };
    let service = Service::new(Engine::Postgres, &[("SVC_WEBHOOK_WORKER_COUNT", "4")]).await;
    service.receiver.answer_always(answer_after(2, 204));
    let mut previous = Process::start_program(&program, service.variables()).await;
    let _process = service.start_beside(&[]).await;
    let users: Vec<UserId> = (0..8).map(|_| user()).collect();
    for number in 0..20 {
        assert_eq!(service.sign_up(number).await, 303, "at the previous version");
        push_rounds(&service.store, &users, 10).await;
    }
    let recorded = service.count("channel = 'webhook'").await;
    assert!(recorded >= 20 * 80);
    service.wait_for(recorded, "delivered").await;
    assert!(service.times_received().values().all(|times| *times == 1), "none is sent twice");
    previous.signal("TERM");
    assert!(previous.wait().await.success());
    service.database().execute("DELETE FROM outbox").await;
    push_rounds(&service.store, &users, 10).await;
    service.wait_for(80, "delivered").await;
    expect_order(service.database()).await;
}

/// As the previous version writes them.
async fn rows_without_subject_have_no_order(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    let go = Arc::new(Semaphore::new(0));
    outbox.receiver.answer_always(Answer::Held(go.clone(), Box::new(Answer::Status(204))));
    seed(&outbox.database, 6).await;
    let workers = outbox.work(&[("WEBHOOK_WORKER_COUNT", "3"), ("WEBHOOK_TIMEOUT", "60s")]);
    outbox.receiver.wait_for(3).await;
    go.add_permits(6);
    outbox.wait_for(6, "delivered").await;
    assert_eq!(outbox.receiver.max_concurrent_requests(), 3);
    workers.shutdown().await;
}

async fn changes_of_one_member_have_the_order_of_their_locks(engine: Engine) {
    let receiver = Receiver::start().await;
    let kinds = "organization.membership.updated";
    let builder = engine.prepare().await.webhooks(&receiver).set("SVC_WEBHOOK_ENABLED_EVENTS", kinds);
    let app = builder.set("SVC_WEBHOOK_WORKER_COUNT", "8").set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let bob = member(&app, &ada, &team, "bob@example.com", "member").await;
    let page = format!("{team}/members/{}/role", user_id(&bob).await);
    let mut changes = tokio::task::JoinSet::new();
    for number in 0..24 {
        let (ada, page) = (ada.copy(), page.clone());
        let role = if number % 2 == 0 { "admin" } else { "member" };
        changes.spawn(async move { ada.post_form(&page, &[("role", role)]).await.status });
    }
    assert!(changes.join_all().await.iter().all(|status| *status == 303));
    let recorded = app.database().count("SELECT count(*) FROM outbox WHERE channel = 'webhook'").await;
    eventually("all are delivered", async || {
        let delivered = "SELECT count(*) FROM outbox WHERE channel = 'webhook' AND state = 'delivered'";
        (app.database().count(delivered).await == recorded).then_some(())
    })
    .await;
    // A change to the same role is none: so in the order of the locks the roles take turns.
    let requests = receiver.received();
    let roles: Vec<String> =
        requests.iter().map(|one| one.json()["data"]["role"].as_str().unwrap().to_owned()).collect();
    assert!(roles.len() > 1 && roles.windows(2).all(|pair| pair[0] != pair[1]), "{roles:?}");
    assert!(requests.is_sorted_by(|one, next| one.id() < next.id()), "the ids have the same order");
    let by_due = "SELECT count(*) FROM outbox e JOIN outbox o ON o.id > e.id \
        WHERE o.due_at <= e.due_at AND e.channel = 'webhook' AND o.channel = 'webhook'";
    assert_eq!(app.database().count(by_due).await, 0);
    expect_order(app.database()).await;
}

async fn later_event_is_later_whatever_the_clocks_say(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    let user = user();
    outbox.clock.advance(seconds(3600));
    push(&outbox.store, user).await;
    let behind = open(outbox.database.url(), &Clock::system()).await;
    push(&behind, user).await;
    push(&outbox.store, user).await;
    let mut sent = Vec::new();
    outbox.clock.advance(seconds(1));
    for _ in 0..3 {
        let claimed = claim(&outbox.store, 64).await;
        assert_eq!(claimed.len(), 1, "one at a time");
        sent.push((claimed[0].due_at, claimed[0].id));
        assert!(claim(&outbox.store, 64).await.is_empty());
        outbox.database.execute("DELETE FROM outbox WHERE state = 'processing'").await;
        let waiting = read(&outbox.store).await.outbox_waiting_subjects("").await.unwrap();
        let next = read(&outbox.store).await.outbox_next_turns(&waiting).await.unwrap();
        let mut tx = begin(&outbox.store).await;
        tx.outbox_pass_turns(&next).await.unwrap();
        tx.commit().await.unwrap();
    }
    assert!(sent.is_sorted_by(|one, next| one.0 < next.0 && one.1 < next.1), "{sent:?}");
}

/// The last event of one subject is ahead, as it was written by a process whose clock is.
async fn events_of_one_transaction_follow_the_latest_of_their_subjects(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    let (ahead, other) = (user(), user());
    outbox.clock.advance(seconds(3600));
    push(&outbox.store, ahead).await;
    let behind = open(outbox.database.url(), &Clock::system()).await;
    let mut tx = begin(&behind).await;
    for user in [other, ahead, other] {
        push_event(&mut tx, user).await;
    }
    tx.commit().await.unwrap();
    push(&behind, other).await;
    let expected = [ahead, other, ahead, other, other].map(|user| format!("user:{user}"));
    for place in ["id", "due_at"] {
        let subjects = outbox.database.texts(&format!("SELECT subject FROM outbox ORDER BY {place}")).await;
        assert_eq!(subjects, expected, "by {place}");
    }
}

/// On SQLite the second could not begin.
async fn order_is_that_of_the_lock_not_of_the_beginning() {
    let outbox = Outbox::new(Engine::Postgres).await;
    let (user, other) = (user(), outbox.other_store().await);
    let mut begun_first = begin(&outbox.store).await;
    push(&other, user).await;
    let first = outbox.database.texts("SELECT id::text FROM outbox").await;
    push_event(&mut begun_first, user).await;
    begun_first.commit().await.unwrap();
    for place in ["id", "due_at"] {
        let ids = outbox.database.texts(&format!("SELECT id::text FROM outbox ORDER BY {place}")).await;
        assert_eq!((ids.len(), &ids[..1]), (2, &first[..]), "by {place}");
    }
}

/// PostgreSQL chooses by its statistics, which were made before anything was sent. SQLite's plan is fixed, and a unit test
/// holds it.
async fn waiting_events_make_others_read_no_more() {
    let service = Service::new(Engine::Postgres, &[("SVC_WEBHOOK_WORKER_COUNT", "8")]).await;
    let database = service.database();
    let insert = |subject: &str, count: usize, state: &str, waits: &str, leased_at: &str| {
        format!(
            "INSERT INTO outbox (id, channel, kind, payload, state, attempts, lease, started, interrupted, due_at, \
             created_at, leased_at, subject, waits) SELECT gen_random_uuid(), 'webhook', 'user.updated', '{{}}', \
             '{state}', 0, 0, FALSE, FALSE, now(), now(), {leased_at}, {subject}, {waits} FROM generate_series(1, {count}) n"
        )
    };
    database.execute(&insert("'user:one'", 1, "processing", "NULL", "now() + interval '1 hour'")).await;
    database.execute(&insert("'user:one'", 20_000, "pending", "TRUE", "NULL")).await;
    database.execute(&insert("'user:other-' || n", 4_000, "pending", "NULL", "NULL")).await;
    database.execute("VACUUM ANALYZE outbox").await;
    let connections =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'doorward'";
    let of_test = database.count(connections).await;
    let mut process = service.start().await;
    service.wait_for(4_000, "delivered").await;
    process.signal("TERM");
    process.wait().await;
    // PostgreSQL counts what a connection has read at its end.
    let ended = async || (database.count(connections).await <= of_test).then_some(());
    eventually("the connections of the process end", ended).await;
    let read = "SELECT sum(idx_tup_read)::bigint FROM pg_stat_user_indexes \
                WHERE indexrelname IN ('outbox_sending', 'outbox_processing')";
    let read = database.count(read).await;
    // It is 40 for each event; looked up for each, it was 1,000.
    assert!(read < 4_000 * 200, "{read} entries");
}

async fn old_times_of_subjects_are_removed(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    push_rounds(&outbox.store, &[user(), user(), user()], 1).await;
    outbox.clock.advance(seconds(24 * 3600 + 1));
    push(&outbox.store, user()).await;
    let workers = outbox.work(&[("WEBHOOK_MAINTENANCE_BATCH_SIZE", "2")]);
    outbox.wait_where(1, "outbox_subjects", "1 = 1").await;
    workers.shutdown().await;
}
