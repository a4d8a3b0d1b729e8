//! Rotation and reuse detection of refresh tokens: no honest user is logged out, no thief stays logged in
//! (docs/reference/api-v1.md 7).

use crate::harness::{Client, Engine, TestApp, eventually};
use crate::organizations::{claims, create_team};
use std::collections::BTreeSet;
use std::time::Duration;

both_engines![
    concurrent_refreshes_get_one_new_token,
    replaced_token_works_within_grace,
    new_token_is_not_replaced_within_grace,
    access_token_seen_by_other_process_counts,
    processes_agree_on_one_new_token,
    restored_backup_ends_no_session,
    sessions_survive_restart,
];
one_engine![
    lost_response_does_not_end_session,
    stolen_token_is_detected_once_access_token_was_seen,
    switch_after_lost_response_proves_nothing,
    arrival_is_written_once,
    replaced_token_at_logout_is_theft,
    replaced_token_at_login_is_theft,
    logout_with_lost_response_is_no_theft,
    stale_token_beside_current_one_at_logout_is_no_theft,
    replayed_token_ends_session,
    thief_refreshing_after_owner_is_detected,
    thief_refreshing_before_owner_is_detected,
    rotation_never_keeps_token,
    rotation_interval_keeps_token_until_due,
    unused_refresh_token_expires,
    session_ends_after_maximum_lifetime,
    page_request_refreshes_expired_access_token,
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

/// The owner's application asks with the access token that came with the new refresh token: it has arrived, and the old
/// one can only be a thief's.
async fn stolen_token_is_detected_once_access_token_was_seen(engine: Engine) {
    for path in ["/auth/api/v1/user", "/auth/account"] {
        let (app, ada) = app_with_user(engine).await;
        let thief = ada.copy();
        let new = ada.refreshed_token().await.unwrap();
        ada.get(path).await.expect(200);
        assert_eq!(thief.copy().refreshed_token().await.unwrap(), new, "within the grace nothing changes");
        app.clock().advance(PAST_GRACE);
        thief.refresh("app").await.expect_error(401, "unauthorized");
        assert_eq!(app.database().count(ENDED_FOR_THEFT).await, 1);
        ada.expect_logged_out().await;
    }
}

async fn access_token_seen_by_other_process_counts(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    let second = app.second_process().await;
    let thief = ada.copy();
    ada.refreshed_token().await.unwrap();
    ada.at(&second.url()).api_user().await.expect(200);
    let is_used = async || (app.database().count(USED).await == 1).then_some(());
    eventually("the second process has written it", is_used).await;
    app.clock().advance(PAST_GRACE);
    thief.refresh("app").await.expect_error(401, "unauthorized");
    assert_eq!(app.ended_sessions().await, 1);
}

const USED: &str = "SELECT count(*) FROM sessions WHERE used";

/// The access token of a switch comes without a refresh token, so it says nothing about the lost one.
async fn switch_after_lost_response_proves_nothing(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    let team = create_team(&ada, "Crew").await;
    ada.copy().refreshed_token().await.unwrap();
    ada.post_form(&format!("{team}/switch"), &[]).await.expect(303);
    assert_eq!(claims(&ada)["rtg"], 1);
    ada.api_user().await.expect(200);
    app.clock().advance(PAST_GRACE);
    assert!(ada.refreshed_token().await.is_some());
    assert_eq!(claims(&ada)["rtg"], 3);
    assert_eq!(app.ended_sessions().await, 0);
}

async fn arrival_is_written_once(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    let ada = app.sign_up("ada@example.com").await;
    let write = async || app.app.last_use.write(&app.app.store).await.unwrap();
    let version = async || app.database().count("SELECT version FROM sessions").await;
    for _ in 0..3 {
        app.clock().advance(PAST_GRACE);
        ada.refreshed_token().await.unwrap();
        let refreshed = version().await;
        assert_eq!(app.database().count(USED).await, 0);
        for _ in 0..3 {
            ada.api_user().await.expect(200);
            write().await;
            assert_eq!((version().await, app.database().count(USED).await), (refreshed + 1, 1));
        }
    }
}

const ENDED_FOR_THEFT: &str = "SELECT count(*) FROM sessions WHERE end_reason = 'reuse'";
const LOGGED_OUT: &str = "SELECT count(*) FROM sessions WHERE end_reason = 'logout'";

/// Replaces the refresh token twice, so that any copy of the first can only be a thief's.
async fn replace_twice(app: &TestApp, owner: &Client) {
    for _ in 0..2 {
        owner.refreshed_token().await.unwrap();
        app.clock().advance(PAST_GRACE);
    }
}

async fn replaced_token_at_logout_is_theft(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    let thief = ada.copy();
    replace_twice(&app, &ada).await;
    thief.log_out().await.expect(204);
    assert_eq!(app.database().count(ENDED_FOR_THEFT).await, 1);
    assert_eq!(app.database().count("SELECT count(*) FROM audit WHERE kind = 'reuse_detected'").await, 1);
    ada.expect_logged_out().await;
}

async fn replaced_token_at_login_is_theft(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    app.sign_up("mallory@example.com").await;
    let thief = ada.copy();
    replace_twice(&app, &ada).await;
    thief.log_in("mallory@example.com", "a lighthouse in the fog").await.expect(303);
    assert_eq!(app.database().count(ENDED_FOR_THEFT).await, 1);
    ada.expect_logged_out().await;
}

async fn logout_with_lost_response_is_no_theft(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    ada.copy().refreshed_token().await.unwrap();
    app.clock().advance(PAST_GRACE);
    ada.log_out().await.expect(204);
    assert_eq!(app.database().count(LOGGED_OUT).await, 1);
}

/// A browser may send a stale cookie, of another path or domain, beside the valid one.
async fn stale_token_beside_current_one_at_logout_is_no_theft(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    let stale = ada.token("refresh").unwrap();
    replace_twice(&app, &ada).await;
    let (current, csrf) = (ada.token("refresh").unwrap(), ada.token("csrf").unwrap());
    let cookies = format!("svc_refresh={stale}; svc_refresh={current}; svc_csrf={csrf}");
    ada.form("/auth/sessions/logout", &[("csrf_token", &csrf)]).header("cookie", &cookies).await.expect(204);
    assert_eq!(app.database().count(LOGGED_OUT).await, 1);
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
    // Or two primaries run: an operator should know.
    assert_eq!(app.app.metrics.auth.newer_refresh_tokens.get(), 1);
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
