//! What administrators see first: counts of the last day and week, and what waits to be sent.

use crate::harness::{Answer, Engine, MailServer, Receiver, TestApp, begin, eventually, read};
use doorward::domain::directory::overview::{self, Overview};
use doorward::domain::hourly_counts;
use doorward::store::{HOURLY_COUNT_RETENTION, HourlySeries};
use std::time::Duration;

both_engines![what_each_process_counts_is_added, old_counts_are_removed,];
one_engine![
    counts_that_were_not_written_are_added_later,
    hours_and_days_are_those_before_now,
    ends_of_deliveries_are_counted_and_what_waits,
];

async fn overview_of(app: &TestApp) -> Overview {
    overview::overview(&mut read(&app.app.store).await, app.clock().now()).await.unwrap()
}

fn of_day(overview: &Overview, series: HourlySeries) -> u64 {
    overview.day.iter().map(|hour| hour.counts.of(series)).sum()
}

fn of_week(overview: &Overview, series: HourlySeries) -> u64 {
    overview.week.iter().map(|day| day.counts.of(series)).sum()
}

async fn what_each_process_counts_is_added(engine: Engine) {
    let mut app = engine.app().await;
    let mut other = app.second_process().await;
    app.sign_up("ada@example.com").await;
    other.sign_up("bob@example.com").await;
    other.anonymous().log_in("ada", "a lighthouse in the fog").await.expect(303);
    app.anonymous().log_in("ada", "another password").await.expect(401);
    // Each writes its last records when it ends.
    other.stop().await;
    app.stop().await;
    let app = app.restart().await;
    let counts = overview_of(&app).await;
    for (series, count) in [(HourlySeries::Signups, 2), (HourlySeries::Logins, 1), (HourlySeries::LoginFailures, 1)] {
        assert_eq!((of_day(&counts, series), of_week(&counts, series)), (count, count), "{series:?}");
    }
    // A process that goes on adds what is new only.
    app.sign_up("cy@example.com").await;
    for _ in 0..2 {
        hourly_counts::write(&app.app).await.unwrap();
    }
    assert_eq!(of_day(&overview_of(&app).await, HourlySeries::Signups), 3);
}

async fn counts_that_were_not_written_are_added_later(engine: Engine) {
    let builder = engine.prepare().await.without_background();
    let app = builder.start().await;
    app.sign_up("ada@example.com").await;
    app.database().execute("ALTER TABLE hourly_counts RENAME TO elsewhere").await;
    hourly_counts::write(&app.app).await.unwrap_err();
    app.sign_up("bob@example.com").await;
    app.database().execute("ALTER TABLE elsewhere RENAME TO hourly_counts").await;
    hourly_counts::write(&app.app).await.unwrap();
    hourly_counts::write(&app.app).await.unwrap();
    assert_eq!(of_day(&overview_of(&app).await, HourlySeries::Signups), 2);
}

async fn hours_and_days_are_those_before_now(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    let counts = overview_of(&app).await;
    assert_eq!((counts.day.len(), counts.week.len()), (24, 7));
    let signed_up_at = app.clock().now();
    app.sign_up("ada@example.com").await;
    hourly_counts::write(&app.app).await.unwrap();
    for (hours, day, week) in [(0, 1, 1), (23, 1, 1), (24, 0, 1), (7 * 24 - 1, 0, 1), (7 * 24, 0, 0)] {
        let passed = app.clock().now().since(signed_up_at);
        app.clock().advance(Duration::from_hours(hours).saturating_sub(passed));
        let counts = overview_of(&app).await;
        let found = (of_day(&counts, HourlySeries::Signups), of_week(&counts, HourlySeries::Signups));
        assert_eq!(found, (day, week), "after {hours} hours");
        let last = counts.day.last().unwrap();
        assert!(last.from <= app.clock().now() && last.from + Duration::from_hours(1) > app.clock().now());
        assert_eq!(counts.week[6].from, counts.day[0].from);
    }
}

async fn ends_of_deliveries_are_counted_and_what_waits(engine: Engine) {
    let receiver = Receiver::start().await;
    let server = MailServer::start().await;
    receiver.answer_next([Answer::Status(410), Answer::Status(204)]);
    let builder = engine.prepare().await.webhooks(&receiver).mails(&server).with_email_verification();
    let app = builder.set("SVC_WEBHOOK_MAX_DELIVERY_ATTEMPTS", "1").set("SVC_WEBHOOK_WORKER_COUNT", "1").start().await;
    app.sign_up("ada@example.com").await;
    let settled = async || {
        hourly_counts::write(&app.app).await.unwrap();
        let counts = overview_of(&app).await;
        let ended = of_day(&counts, HourlySeries::Deliveries) + of_day(&counts, HourlySeries::DeliveryFailures);
        let is_settled = counts.events.waiting == 0 && ended >= 2 && of_day(&counts, HourlySeries::Mails) == 1;
        is_settled.then_some(counts)
    };
    let counts = eventually("deliveries end and are counted", settled).await;
    assert_eq!((counts.events.failed, counts.mails.waiting), (1, 0));
    assert_eq!(of_day(&counts, HourlySeries::DeliveryFailures), 1);
    assert_eq!(of_day(&counts, HourlySeries::MailFailures), 0);
}

async fn old_counts_are_removed(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    app.sign_up("ada@example.com").await;
    hourly_counts::write(&app.app).await.unwrap();
    app.clock().advance(HOURLY_COUNT_RETENTION + Duration::from_hours(1));
    let mut tx = begin(&app.app.store).await;
    let before = app.clock().now() - HOURLY_COUNT_RETENTION;
    assert_eq!(tx.hourly_counts_delete_old(before, 1000).await.unwrap(), 1);
    tx.commit().await.unwrap();
    assert_eq!(app.database().count("SELECT count(*) FROM hourly_counts").await, 0);
}
