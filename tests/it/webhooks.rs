//! Events and the requests that carry them (docs/reference/webhooks.md 12 and 13).

use crate::harness::{Answer, Engine, Received, Receiver, WEBHOOK_SECRET};
use std::time::Duration;
use tokio::time::Instant;

one_engine![
    signup_sends_events,
    requests_do_not_wait_for_receiver,
    each_organization_mode_sends_its_events,
    only_enabled_kinds_are_sent,
    events_are_not_stored_without_receiver,
    failed_signup_sends_no_events,
    failed_delivery_is_retried,
];

async fn signup_sends_events(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.webhooks(&receiver).start().await;
    let ada = app.sign_up("ada@example.com").await;
    let all = receiver.wait_for(3).await;
    // The snapshots of tests/it/event_walk.rs have headers and bodies.
    for request in &all {
        assert!(request.is_signed("svc", WEBHOOK_SECRET), "{request:?}");
        assert!(request.is_standard_signed(WEBHOOK_SECRET), "{request:?}");
    }
    let created = all.iter().find(|request| request.kind() == "user.created").unwrap();
    assert_eq!(created.json()["data"]["user_id"], ada.api_user().await.expect(200).json()["id"]);
}

async fn requests_do_not_wait_for_receiver(engine: Engine) {
    let receiver = Receiver::start().await;
    receiver.answer_always(Answer::Silence);
    let app = engine.prepare().await.webhooks(&receiver).set("SVC_WEBHOOK_TIMEOUT", "60s").start().await;
    let start = Instant::now();
    let ada = app.sign_up("ada@example.com").await;
    ada.refresh("app").await.expect(200);
    ada.log_out().await.expect(204);
    assert!(start.elapsed() < Duration::from_secs(50), "{:?}", start.elapsed());
    receiver.wait_for(1).await;
    receiver.answer_always(Answer::After(Duration::from_millis(50), Box::new(Answer::Status(204))));
}

async fn each_organization_mode_sends_its_events(engine: Engine) {
    for (mode, kind) in [("personal", "personal"), ("single", "team"), ("multi", "personal")] {
        let receiver = Receiver::start().await;
        let builder = engine.prepare().await.webhooks(&receiver);
        let app = builder.set("SVC_ORG_MODE", mode).set("SVC_WEBHOOK_WORKER_COUNT", "1").start().await;
        app.sign_up("ada@example.com").await;
        let all = receiver.wait_for(3).await;
        let kinds: Vec<String> = all.iter().map(Received::kind).collect();
        assert_eq!(kinds, ["user.created", "organization.created", "organization.membership.created"], "{mode}");
        assert_eq!(all[1].json()["data"]["kind"], kind, "{mode}");
    }
}

async fn only_enabled_kinds_are_sent(engine: Engine) {
    let receiver = Receiver::start().await;
    let builder = engine.prepare().await.webhooks(&receiver);
    let app = builder.set("SVC_WEBHOOK_ENABLED_EVENTS", "user.deleted, organization.created").start().await;
    app.sign_up("ada@example.com").await;
    assert_eq!(receiver.wait_for(1).await[0].kind(), "organization.created");
    assert_eq!(app.database().count("SELECT count(*) FROM outbox").await, 1);
}

async fn events_are_not_stored_without_receiver(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    assert_eq!(app.database().count("SELECT count(*) FROM outbox").await, 0);
}

async fn failed_signup_sends_no_events(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.webhooks(&receiver).start().await;
    app.sign_up("ada@example.com").await;
    app.anonymous().sign_up("ada@example.com").await.expect(422);
    app.database().execute("ALTER TABLE sessions RENAME TO lost").await;
    let reply = app.anonymous().sign_up("bob@example.com").await;
    assert!([500, 503].contains(&reply.status), "{}", reply.status);
    app.database().execute("ALTER TABLE lost RENAME TO sessions").await;
    receiver.wait_for(3).await;
    assert_eq!(app.database().count("SELECT count(*) FROM outbox").await, 3);
}

async fn failed_delivery_is_retried(engine: Engine) {
    let receiver = Receiver::start().await;
    receiver.answer_next([Answer::Status(500), Answer::Close]);
    let builder = engine.prepare().await.webhooks(&receiver).set("SVC_WEBHOOK_RETRY_DELAYS", "100ms");
    let app = builder.set("SVC_WEBHOOK_ENABLED_EVENTS", "user.created").start().await;
    app.sign_up("ada@example.com").await;
    let all = receiver.wait_for(3).await;
    assert!(all.iter().all(|request| request.body == all[0].body && request.is_signed("svc", WEBHOOK_SECRET)));
    assert!(all.iter().all(|request| request.header("webhook-id") == all[0].header("webhook-id")));
}
