//! Long work of administrators: the replay of webhooks that failed, which outlives the process that does it.

use crate::harness::{Engine, Process, TestApp, TestDatabase, administrator, eventually, person, scaled};
use doorward::background;
use doorward::domain::jobs::{self, JobProgress, ReplayFilter, begin_replay};
use doorward::model::event::EventKind;
use doorward::model::ids::{JobId, UserId};
use doorward::model::principal::Principal;
use doorward::model::roles::PlatformRole;
use doorward::model::time::Time;
use doorward::store::{JOB_RETENTION, JobState};
use std::time::Duration;
use uuid::Uuid;

both_engines![
    killed_process_loses_and_repeats_nothing,
    job_is_tried_again_after_the_database_failed,
    filter_restricts_what_is_replayed,
    same_replay_under_way_is_begun_once,
    what_fails_later_is_none_of_it,
    running_service_does_jobs_and_old_ones_are_removed,
];

/// Longer than a lease.
const LEASE_OVER: Duration = Duration::from_secs(31);
const PENDING: &str = "SELECT count(*) FROM outbox WHERE state = 'pending'";

async fn with_role(app: &TestApp, role: PlatformRole) -> Principal {
    administrator(app, role, "").await
}

/// Inserts deliveries that failed: the first a second ago, each a millisecond before the one before; every fourth is of
/// another kind.
async fn fill(database: &TestDatabase, engine: Engine, count: usize) {
    let numbers = format!("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})");
    let (id, at) = match engine {
        Engine::Sqlite => ("randomblob(16)", "CAST(strftime('%s', 'now') AS INTEGER) * 1000000 - 1000000 - i * 1000"),
        Engine::Postgres => ("gen_random_uuid()", "now() - interval '1 second' - i * interval '1 millisecond'"),
    };
    let (payload, no) = match engine {
        Engine::Sqlite => ("x'7b7d'", "0"),
        Engine::Postgres => ("'{}'::bytea", "false"),
    };
    let columns = "id, channel, kind, payload, state, attempts, lease, started, interrupted, due_at, created_at, \
        finished_at";
    let values = format!(
        "SELECT {id}, 'webhook', CASE i % 4 WHEN 0 THEN 'user.deleted' ELSE 'user.created' END, {payload}, 'failed', \
         3, 3, {no}, {no}, {at}, {at}, {at} FROM n"
    );
    database.execute(&format!("INSERT INTO outbox ({columns}) {numbers} {values}")).await;
}

/// A process that does no jobs by itself, with deliveries that failed.
async fn app_with(engine: Engine, count: usize) -> TestApp {
    let app = engine.prepare().await.without_background().start().await;
    fill(app.database(), engine, count).await;
    app
}

async fn begin(app: &TestApp, filter: ReplayFilter) -> JobId {
    begin_replay(&app.app, &with_role(app, PlatformRole::Admin).await, filter).await.unwrap()
}

async fn found(app: &TestApp, id: JobId) -> JobProgress {
    found_by(app, &with_role(app, PlatformRole::Auditor).await, id).await
}

async fn found_by(app: &TestApp, auditor: &Principal, id: JobId) -> JobProgress {
    jobs::find(&app.app, auditor, id).await.unwrap().unwrap()
}

async fn audited(app: &TestApp) -> i64 {
    app.database().count("SELECT count(*) FROM audit WHERE kind = 'deliveries_replayed'").await
}

async fn killed_process_loses_and_repeats_nothing(engine: Engine) {
    let count = scaled(10_000, 100_000);
    let builder = engine.prepare().await.without_background();
    let variables = builder.with_another_port();
    let app = builder.start().await;
    fill(app.database(), engine, count).await;
    let job = begin(&app, ReplayFilter::default()).await;
    // One for all questions: on a busy machine there are more than one address may sign up.
    let auditor = with_role(&app, PlatformRole::Auditor).await;
    let process = Process::spawn(&variables);
    let begun = async || (found_by(&app, &auditor, job).await.done >= 1000).then_some(());
    eventually("another process has begun", begun).await;
    process.kill();
    let left = found(&app, job).await;
    assert_eq!(app.database().count(PENDING).await, i64::try_from(left.done).unwrap(), "a step is whole");
    app.clock().advance(LEASE_OVER);
    let all = u64::try_from(count).unwrap();
    // PostgreSQL may hold the locks of a process for a moment after its end.
    let done = eventually("the job is done", async || {
        jobs::work(&app.app, || false).await.unwrap();
        Some(found_by(&app, &auditor, job).await).filter(|job| job.state == JobState::Done)
    })
    .await;
    assert_eq!((done.done, done.total), (all, Some(all)));
    assert!(done.finished_at.is_some() && done.created_by.is_some());
    assert_eq!(app.database().count(PENDING).await, i64::try_from(count).unwrap());
    let again = "SELECT count(*) FROM outbox WHERE attempts = 0 AND finished_at IS NULL";
    assert_eq!(app.database().count(again).await, i64::try_from(count).unwrap());
    assert_eq!(audited(&app).await, 1);
}

async fn job_is_tried_again_after_the_database_failed(engine: Engine) {
    let app = app_with(engine, 1500).await;
    let job = begin(&app, ReplayFilter::default()).await;
    app.database().execute("ALTER TABLE outbox RENAME TO away").await;
    jobs::work(&app.app, || false).await.unwrap_err();
    app.database().execute("ALTER TABLE away RENAME TO outbox").await;
    // Another process may have it until its lease is over.
    jobs::work(&app.app, || false).await.unwrap();
    assert_eq!(found(&app, job).await.done, 0);
    app.clock().advance(LEASE_OVER);
    // A process that is to stop takes no job.
    jobs::work(&app.app, || true).await.unwrap();
    assert_eq!(found(&app, job).await.done, 0);
    jobs::work(&app.app, || false).await.unwrap();
    assert_eq!(found(&app, job).await.done, 1500);
}

async fn filter_restricts_what_is_replayed(engine: Engine) {
    let app = app_with(engine, 1200).await;
    let job = begin(&app, ReplayFilter { kind: Some(EventKind::UserDeleted), ..ReplayFilter::default() }).await;
    jobs::work(&app.app, || false).await.unwrap();
    let done = found(&app, job).await;
    assert_eq!((done.done, done.total), (300, Some(300)));
    assert_eq!(app.database().count(&format!("{PENDING} AND kind <> 'user.deleted'")).await, 0);
    let now = app.clock().now();
    let older = ReplayFilter { until: Some(now - Duration::from_hours(1)), ..ReplayFilter::default() };
    let newer = ReplayFilter { since: Some(now - Duration::from_hours(1)), ..ReplayFilter::default() };
    for (filter, replayed) in [(older, 0), (newer, 900)] {
        let job = begin(&app, filter).await;
        jobs::work(&app.app, || false).await.unwrap();
        let done = found(&app, job).await;
        assert_eq!((done.state, done.done, done.filter), (JobState::Done, replayed, Some(filter)));
    }
    let fields = "SELECT fields FROM audit WHERE kind = 'deliveries_replayed' AND fields LIKE '%kind%'";
    let expected = format!(r#"{{"filter":{{"kind":"user.deleted"}},"job_id":"{job}"}}"#);
    assert_eq!(app.database().texts(fields).await, [expected]);
}

async fn same_replay_under_way_is_begun_once(engine: Engine) {
    let app = app_with(engine, 10).await;
    let filter = ReplayFilter { since: Some(Time::from_micros(0)), ..ReplayFilter::default() };
    let first = begin(&app, filter).await;
    assert_eq!(begin(&app, filter).await, first);
    assert_ne!(begin(&app, ReplayFilter::default()).await, first);
    assert_eq!(audited(&app).await, 2);
    jobs::work(&app.app, || false).await.unwrap();
    assert_eq!(found(&app, first).await.done, 10);
    assert_ne!(begin(&app, filter).await, first, "the first one is done");
    for principal in [with_role(&app, PlatformRole::Auditor).await, person(UserId(Uuid::nil()))] {
        assert!(begin_replay(&app.app, &principal, filter).await.is_err());
    }
}

async fn what_fails_later_is_none_of_it(engine: Engine) {
    let app = app_with(engine, 10).await;
    let job = begin(&app, ReplayFilter::default()).await;
    app.clock().advance(Duration::from_mins(1));
    let later = match engine {
        Engine::Sqlite => "finished_at + 60000000",
        Engine::Postgres => "finished_at + interval '1 minute'",
    };
    let update = format!("UPDATE outbox SET finished_at = {later} WHERE kind = 'user.deleted'");
    app.database().execute(&update).await;
    jobs::work(&app.app, || false).await.unwrap();
    assert_eq!(found(&app, job).await.done, 8);
}

async fn running_service_does_jobs_and_old_ones_are_removed(engine: Engine) {
    let app = engine.app().await;
    fill(app.database(), engine, 10).await;
    let job = begin(&app, ReplayFilter::default()).await;
    let auditor = with_role(&app, PlatformRole::Auditor).await;
    let done = async || (found_by(&app, &auditor, job).await.state == JobState::Done).then_some(());
    eventually("the job is done", done).await;
    app.clock().advance(JOB_RETENTION + Duration::from_secs(1));
    background::clean_up(&app.app).await.unwrap();
    assert_eq!(app.database().count("SELECT count(*) FROM jobs").await, 0);
}
