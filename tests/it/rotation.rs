//! Refresh tokens that are replaced: no honest user is logged out, and no thief stays (contract 5).

use crate::harness::{Client, Engine, TestApp};
use std::collections::BTreeSet;
use std::time::Duration;

both![
    two_hundred_at_once_get_one_new_token,
    within_the_grace_the_replaced_token_is_answered,
    within_the_grace_the_new_token_is_kept,
    a_lost_answer_costs_nothing,
    a_replayed_token_ends_the_session_for_good,
    a_shadowing_thief_is_found,
    a_thief_who_comes_first_is_found,
    processes_share_the_rotation,
    a_restored_backup_revokes_nothing,
    never_keeps_the_token,
    a_duration_keeps_the_token_until_it_is_due,
    a_refresh_token_has_a_lifetime,
    a_session_has_an_end,
    pages_renew_on_the_way,
    sessions_survive_a_restart,
];

/// Longer than `SVC_REFRESH_GRACE`.
const PAST_GRACE: Duration = Duration::from_secs(31);
const HOUR: Duration = Duration::from_hours(1);

async fn signed_in(engine: Engine) -> (TestApp, Client) {
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
    /// Refreshes and gives the new refresh token, if the answer brings one.
    async fn replacement(&self) -> Option<String> {
        self.refresh("app").await.expect(200).cookie("svc_refresh").map(|cookie| cookie.value)
    }

    /// Fails unless neither token of this client is worth anything any more.
    async fn expect_out(&self) {
        self.copy().api_user().await.expect_error(401, "unauthorized");
        self.copy().refresh("app").await.expect_error(401, "unauthorized");
    }
}

async fn two_hundred_at_once_get_one_new_token(engine: Engine) {
    let (app, ada) = signed_in(engine).await;
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..200 {
        let tab = ada.copy();
        calls.spawn(async move { (tab.replacement().await, tab) });
    }
    let answers = calls.join_all().await;
    let tokens: BTreeSet<_> = answers.iter().map(|(token, _)| token.clone()).collect();
    assert_eq!(tokens.len(), 1, "{tokens:?}");
    assert!(answers[0].0.as_ref().is_some_and(|token| *token != ada.token("refresh").unwrap()));
    for (_, tab) in &answers[..3] {
        tab.api_user().await.expect(200);
    }
    app.clock().advance(PAST_GRACE);
    assert!(answers[0].1.replacement().await.is_some());
    assert_eq!(app.ended_sessions().await, 0);
}

async fn within_the_grace_the_replaced_token_is_answered(engine: Engine) {
    let (app, ada) = signed_in(engine).await;
    let tab = ada.copy();
    let new = ada.replacement().await.unwrap();
    app.clock().advance(Duration::from_secs(29));
    assert_eq!(tab.replacement().await.unwrap(), new);
    app.clock().advance(PAST_GRACE);
    ada.refresh("app").await.expect(200);
    ada.api_user().await.expect(200);
}

async fn within_the_grace_the_new_token_is_kept(engine: Engine) {
    let (app, ada) = signed_in(engine).await;
    ada.replacement().await.unwrap();
    assert_eq!(ada.replacement().await, None);
    app.clock().advance(PAST_GRACE);
    assert!(ada.replacement().await.is_some());
}

async fn a_lost_answer_costs_nothing(engine: Engine) {
    let (app, ada) = signed_in(engine).await;
    let mut withdrawn = Vec::new();
    for _ in 0..3 {
        // The answer goes to a copy of the browser, and with it is lost.
        withdrawn.push(ada.copy().replacement().await.unwrap());
        app.clock().advance(PAST_GRACE);
    }
    let new = ada.replacement().await.unwrap();
    assert!(!withdrawn.contains(&new));
    app.clock().advance(PAST_GRACE);
    assert!(ada.replacement().await.is_some());
    assert_eq!(app.ended_sessions().await, 0);
    // What was withdrawn never reached the owner; whoever shows it now has stolen it.
    let thief = ada.copy();
    thief.set_token("refresh", &withdrawn[0]);
    thief.refresh("app").await.expect_error(401, "unauthorized");
    ada.expect_out().await;
}

async fn a_replayed_token_ends_the_session_for_good(engine: Engine) {
    let (app, ada) = signed_in(engine).await;
    let thief = ada.copy();
    ada.replacement().await.unwrap();
    app.clock().advance(PAST_GRACE);
    ada.replacement().await.unwrap();
    app.clock().advance(PAST_GRACE);
    let reply = thief.refresh("app").await.expect_error(401, "unauthorized");
    assert!(reply.cookie("svc_refresh").is_some_and(|cookie| cookie.is_removal()));
    ada.expect_out().await;
    assert_eq!(app.ended_sessions().await, 1);
    let _app = app.restart().await;
    ada.expect_out().await;
    // The account itself is not locked.
    ada.log_in("ada@example.com", "a lighthouse in the fog").await.expect(303);
    ada.api_user().await.expect(200);
}

async fn a_shadowing_thief_is_found(engine: Engine) {
    let (app, ada) = signed_in(engine).await;
    let thief = ada.copy();
    ada.replacement().await.unwrap();
    app.clock().advance(PAST_GRACE);
    // Looks like an owner whose answer was lost: the owner's new token is withdrawn.
    thief.replacement().await.unwrap();
    app.clock().advance(PAST_GRACE);
    ada.copy().refresh("app").await.expect_error(401, "unauthorized");
    thief.expect_out().await;
    ada.expect_out().await;
}

async fn a_thief_who_comes_first_is_found(engine: Engine) {
    let (app, ada) = signed_in(engine).await;
    let thief = ada.copy();
    for _ in 0..2 {
        thief.replacement().await.unwrap();
        app.clock().advance(PAST_GRACE);
    }
    ada.copy().refresh("app").await.expect_error(401, "unauthorized");
    thief.expect_out().await;
}

async fn processes_share_the_rotation(engine: Engine) {
    let (app, ada) = signed_in(engine).await;
    let second = app.second().await;
    let mut calls = tokio::task::JoinSet::new();
    for index in 0..40 {
        let url = if index % 2 == 0 { app.url() } else { second.url() };
        let tab = ada.copy().at(&url);
        calls.spawn(async move { tab.replacement().await });
    }
    let tokens: BTreeSet<_> = calls.join_all().await.into_iter().collect();
    assert_eq!(tokens.len(), 1, "{tokens:?}");
    assert!(!tokens.contains(&None));
    assert_eq!(app.ended_sessions().await, 0);
}

async fn a_restored_backup_revokes_nothing(engine: Engine) {
    let (app, ada) = signed_in(engine).await;
    let before = app.database().count("SELECT generation FROM sessions").await;
    ada.replacement().await.unwrap();
    let restore = format!(
        "UPDATE sessions SET generation = {before}, version = version + 1, parent_generation = NULL, \
         parent_issued_at = NULL, replaced_at = NULL"
    );
    app.database().execute(&restore).await;
    ada.refresh("app").await.expect_error(401, "unauthorized");
    assert_eq!(app.ended_sessions().await, 0);
}

async fn never_keeps_the_token(engine: Engine) {
    let app = engine.prepare().await.set("SVC_REFRESH_ROTATION", "never").start().await;
    let ada = app.sign_up("ada@example.com").await;
    for _ in 0..3 {
        assert_eq!(ada.replacement().await, None);
        ada.api_user().await.expect(200);
        app.clock().advance(HOUR);
    }
    assert_eq!(app.ended_sessions().await, 0);
}

async fn a_duration_keeps_the_token_until_it_is_due(engine: Engine) {
    let app = engine.prepare().await.set("SVC_REFRESH_ROTATION", "2h").start().await;
    let ada = app.sign_up("ada@example.com").await;
    app.clock().advance(HOUR);
    assert_eq!(ada.replacement().await, None);
    app.clock().advance(HOUR);
    assert!(ada.replacement().await.is_some());
    app.clock().advance(HOUR);
    assert_eq!(ada.replacement().await, None);
}

async fn a_refresh_token_has_a_lifetime(engine: Engine) {
    let (app, ada) = signed_in(engine).await;
    let idle = ada.copy();
    app.clock().advance(HOUR * 335);
    ada.replacement().await.unwrap();
    app.clock().advance(HOUR * 2);
    ada.replacement().await.unwrap();
    idle.refresh("app").await.expect_error(401, "unauthorized");
}

async fn a_session_has_an_end(engine: Engine) {
    let (app, ada) = signed_in(engine).await;
    for _ in 0..4 {
        app.clock().advance(HOUR * 330);
        ada.replacement().await.unwrap();
    }
    app.clock().advance(HOUR * 119);
    let reply = ada.refresh("app").await.expect(200);
    let max_age = reply.cookie("svc_refresh").unwrap().max_age().unwrap();
    assert!(max_age <= 3600, "{max_age} s, where the session ends in an hour");
    app.clock().advance(HOUR * 2);
    ada.expect_out().await;
}

async fn pages_renew_on_the_way(engine: Engine) {
    let (app, ada) = signed_in(engine).await;
    app.clock().advance(HOUR);
    ada.api_user().await.expect_error(401, "unauthorized");
    let page = ada.get("/auth/account").await.expect(200);
    assert!(page.text().contains("ada@example.com"));
    assert!(page.cookie("svc_access").is_some() && page.cookie("svc_refresh").is_some());
    ada.api_user().await.expect(200);
}

async fn sessions_survive_a_restart(engine: Engine) {
    let (app, ada) = signed_in(engine).await;
    let tab = ada.copy();
    let new = ada.replacement().await.unwrap();
    let _app = app.restart().await;
    ada.api_user().await.expect(200);
    assert_eq!(tab.replacement().await.unwrap(), new);
}
