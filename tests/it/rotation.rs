//! Rotation and reuse detection of refresh tokens: no honest user is logged out, no thief stays logged in
//! (docs/protocol.md 7).

use crate::harness::{Client, Engine, TestApp};
use std::collections::BTreeSet;
use std::time::Duration;

both_engines![
    concurrent_refreshes_get_one_new_token,
    replaced_token_works_within_grace,
    new_token_is_not_replaced_within_grace,
    lost_response_does_not_end_session,
    replayed_token_ends_session,
    thief_refreshing_after_owner_is_detected,
    thief_refreshing_before_owner_is_detected,
    processes_agree_on_one_new_token,
    restored_backup_ends_no_session,
    rotation_never_keeps_token,
    rotation_interval_keeps_token_until_due,
    unused_refresh_token_expires,
    session_ends_after_maximum_lifetime,
    page_request_refreshes_expired_access_token,
    sessions_survive_restart,
];

/// Longer than `SVC_REFRESH_GRACE`.
const PAST_GRACE: Duration = Duration::from_secs(31);
const HOUR: Duration = Duration::from_hours(1);

async fn app_with_user(engine: Engine) -> (TestApp, Client) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    (app, ada)
}

impl TestApp {
    async fn ended_sessions(&self) -> i64 {
        self.database().count("SELECT count(*) FROM sessions WHERE ended_at IS NOT NULL").await
    }
}

impl Client {
    /// Refreshes; returns the refresh token if the response sets one.
    async fn refreshed_token(&self) -> Option<String> {
        self.refresh("app").await.expect(200).cookie("svc_refresh").map(|cookie| cookie.value)
    }

    /// Fails unless both tokens of this client are refused.
    async fn expect_logged_out(&self) {
        self.copy().api_user().await.expect_error(401, "unauthorized");
        self.copy().refresh("app").await.expect_error(401, "unauthorized");
    }
}

async fn concurrent_refreshes_get_one_new_token(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..200 {
        let tab = ada.copy();
        calls.spawn(async move { (tab.refreshed_token().await, tab) });
    }
    let answers = calls.join_all().await;
    let tokens: BTreeSet<_> = answers.iter().map(|(token, _)| token.clone()).collect();
    assert_eq!(tokens.len(), 1, "{tokens:?}");
    assert!(answers[0].0.as_ref().is_some_and(|token| *token != ada.token("refresh").unwrap()));
    for (_, tab) in &answers[..3] {
        tab.api_user().await.expect(200);
    }
    app.clock().advance(PAST_GRACE);
    assert!(answers[0].1.refreshed_token().await.is_some());
    assert_eq!(app.ended_sessions().await, 0);
}

async fn replaced_token_works_within_grace(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    let tab = ada.copy();
    let new = ada.refreshed_token().await.unwrap();
    app.clock().advance(Duration::from_secs(29));
    assert_eq!(tab.refreshed_token().await.unwrap(), new);
    app.clock().advance(PAST_GRACE);
    ada.refresh("app").await.expect(200);
    ada.api_user().await.expect(200);
}

async fn new_token_is_not_replaced_within_grace(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    ada.refreshed_token().await.unwrap();
    assert_eq!(ada.refreshed_token().await, None);
    app.clock().advance(PAST_GRACE);
    assert!(ada.refreshed_token().await.is_some());
}

async fn lost_response_does_not_end_session(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    let mut withdrawn = Vec::new();
    for _ in 0..3 {
        // Only a copy of the browser receives the response.
        withdrawn.push(ada.copy().refreshed_token().await.unwrap());
        app.clock().advance(PAST_GRACE);
    }
    let new = ada.refreshed_token().await.unwrap();
    assert!(!withdrawn.contains(&new));
    app.clock().advance(PAST_GRACE);
    assert!(ada.refreshed_token().await.is_some());
    assert_eq!(app.ended_sessions().await, 0);
    // The owner never received the withdrawn tokens, so that only a thief can present one.
    let thief = ada.copy();
    thief.set_token("refresh", &withdrawn[0]);
    thief.refresh("app").await.expect_error(401, "unauthorized");
    ada.expect_logged_out().await;
}

async fn replayed_token_ends_session(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    let thief = ada.copy();
    ada.refreshed_token().await.unwrap();
    app.clock().advance(PAST_GRACE);
    ada.refreshed_token().await.unwrap();
    app.clock().advance(PAST_GRACE);
    let reply = thief.refresh("app").await.expect_error(401, "unauthorized");
    assert!(reply.cookie("svc_refresh").is_some_and(|cookie| cookie.is_removal()));
    ada.expect_logged_out().await;
    assert_eq!(app.ended_sessions().await, 1);
    let _app = app.restart().await;
    ada.expect_logged_out().await;
    // The account itself is not locked.
    ada.log_in("ada@example.com", "a lighthouse in the fog").await.expect(303);
    ada.api_user().await.expect(200);
}

async fn thief_refreshing_after_owner_is_detected(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    let thief = ada.copy();
    ada.refreshed_token().await.unwrap();
    app.clock().advance(PAST_GRACE);
    // Indistinguishable from a lost response: the owner's new token is withdrawn.
    thief.refreshed_token().await.unwrap();
    app.clock().advance(PAST_GRACE);
    ada.copy().refresh("app").await.expect_error(401, "unauthorized");
    thief.expect_logged_out().await;
    ada.expect_logged_out().await;
}

async fn thief_refreshing_before_owner_is_detected(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    let thief = ada.copy();
    for _ in 0..2 {
        thief.refreshed_token().await.unwrap();
        app.clock().advance(PAST_GRACE);
    }
    ada.copy().refresh("app").await.expect_error(401, "unauthorized");
    thief.expect_logged_out().await;
}

async fn processes_agree_on_one_new_token(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    let second = app.second_process().await;
    let mut calls = tokio::task::JoinSet::new();
    for index in 0..40 {
        let url = if index % 2 == 0 { app.url() } else { second.url() };
        let tab = ada.copy().at(&url);
        calls.spawn(async move { tab.refreshed_token().await });
    }
    let tokens: BTreeSet<_> = calls.join_all().await.into_iter().collect();
    assert_eq!(tokens.len(), 1, "{tokens:?}");
    assert!(!tokens.contains(&None));
    assert_eq!(app.ended_sessions().await, 0);
}

async fn restored_backup_ends_no_session(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    let before = app.database().count("SELECT generation FROM sessions").await;
    ada.refreshed_token().await.unwrap();
    let restore = format!(
        "UPDATE sessions SET generation = {before}, version = version + 1, parent_generation = NULL, \
         parent_issued_at = NULL, replaced_at = NULL"
    );
    app.database().execute(&restore).await;
    ada.refresh("app").await.expect_error(401, "unauthorized");
    assert_eq!(app.ended_sessions().await, 0);
}

async fn rotation_never_keeps_token(engine: Engine) {
    let app = engine.prepare().await.set("SVC_REFRESH_ROTATION", "never").start().await;
    let ada = app.sign_up("ada@example.com").await;
    for _ in 0..3 {
        assert_eq!(ada.refreshed_token().await, None);
        ada.api_user().await.expect(200);
        app.clock().advance(HOUR);
    }
    assert_eq!(app.ended_sessions().await, 0);
}

async fn rotation_interval_keeps_token_until_due(engine: Engine) {
    let app = engine.prepare().await.set("SVC_REFRESH_ROTATION", "2h").start().await;
    let ada = app.sign_up("ada@example.com").await;
    app.clock().advance(HOUR);
    assert_eq!(ada.refreshed_token().await, None);
    app.clock().advance(HOUR);
    assert!(ada.refreshed_token().await.is_some());
    app.clock().advance(HOUR);
    assert_eq!(ada.refreshed_token().await, None);
}

async fn unused_refresh_token_expires(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    let idle = ada.copy();
    app.clock().advance(HOUR * 335);
    ada.refreshed_token().await.unwrap();
    app.clock().advance(HOUR * 2);
    ada.refreshed_token().await.unwrap();
    idle.refresh("app").await.expect_error(401, "unauthorized");
}

async fn session_ends_after_maximum_lifetime(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    for _ in 0..4 {
        app.clock().advance(HOUR * 330);
        ada.refreshed_token().await.unwrap();
    }
    app.clock().advance(HOUR * 119);
    let reply = ada.refresh("app").await.expect(200);
    let max_age = reply.cookie("svc_refresh").unwrap().max_age().unwrap();
    assert!(max_age <= 3600, "{max_age} s, although the session ends in an hour");
    app.clock().advance(HOUR * 2);
    ada.expect_logged_out().await;
}

async fn page_request_refreshes_expired_access_token(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    app.clock().advance(HOUR);
    ada.api_user().await.expect_error(401, "unauthorized");
    let page = ada.get("/auth/account").await.expect(200);
    assert!(page.text().contains("ada@example.com"));
    assert!(page.cookie("svc_access").is_some() && page.cookie("svc_refresh").is_some());
    ada.api_user().await.expect(200);
}

async fn sessions_survive_restart(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    let tab = ada.copy();
    let new = ada.refreshed_token().await.unwrap();
    let _app = app.restart().await;
    ada.api_user().await.expect(200);
    assert_eq!(tab.refreshed_token().await.unwrap(), new);
}
