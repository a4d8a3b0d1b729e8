//! The audit log: what happened to an account, who did it, and from where.

use crate::harness::{Engine, TestApp, eventually, run_program};
use doorward::domain::account::operator;
use doorward::model::audit::{NEWEST, RETENTION};
use doorward::store::AuditRow;
use serde_json::Value;
use std::time::Duration;

both_engines![
    logins_and_logouts_are_recorded,
    failed_logins_are_recorded_for_unknown_accounts_too,
    refresh_token_reuse_is_recorded,
    operator_actions_are_recorded,
    operators_can_list_audit_entries,
    audit_log_outlives_account,
    old_entries_are_removed,
];

const PASSWORD: &str = "a lighthouse in the fog";

/// The entries about a user, the oldest first.
async fn log_of(app: &TestApp, login: &str) -> Vec<AuditRow> {
    let user = operator::find(&app.app.store, login).await.unwrap().id;
    let mut rows = app.app.store.read().await.unwrap().audit_list_of_user(user, NEWEST, 100).await.unwrap();
    rows.reverse();
    rows
}

fn kinds(rows: &[AuditRow]) -> Vec<&str> {
    rows.iter().map(|row| row.kind.as_str()).collect()
}

async fn logins_and_logouts_are_recorded(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    app.clock().advance(Duration::from_secs(1));
    ada.log_out().await.expect(204);
    app.clock().advance(Duration::from_secs(1));
    let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    let token = ada.token("csrf").unwrap();
    let fields = [("email", "ada"), ("password", PASSWORD), ("csrf_token", token.as_str())];
    ada.form("/auth/login", &fields).header("user-agent", firefox).await.expect(303);
    let rows = log_of(&app, "ada").await;
    assert_eq!(kinds(&rows), ["account_created", "signed_out", "signed_in"]);
    assert_eq!(rows[0].session_id, rows[1].session_id);
    assert_ne!(rows[1].session_id, rows[2].session_id);
    for row in &rows {
        assert_eq!((row.actor.as_str(), row.actor_user_id, row.times), ("user", row.user_id, 1));
        assert_eq!(row.address, "127.0.0.1");
    }
    assert_eq!(rows[2].user_agent, firefox);
    // Paged reads return the same entries as one read.
    let mut conn = app.app.store.read().await.unwrap();
    let user = rows[0].user_id.unwrap();
    let (mut before, mut paged) = (NEWEST, Vec::new());
    while let [row] = conn.audit_list_of_user(user, before, 1).await.unwrap().as_slice() {
        before = (row.at, row.id);
        paged.insert(0, row.kind.clone());
    }
    assert_eq!(paged, kinds(&rows));
}

async fn failed_logins_are_recorded_for_unknown_accounts_too(engine: Engine) {
    let app = engine.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.0/8").set("SVC_RATE_LIMIT", "off");
    let app = app.start().await;
    app.sign_up("ada@example.com").await;
    let stranger = app.anonymous();
    stranger.get("/auth/login").await.expect(200);
    let token = stranger.token("csrf").unwrap();
    for (login, network) in (0..60).map(|number| (["ada", "nobody"][number % 2], number % 30)) {
        let fields = [("email", login), ("password", "not the password"), ("csrf_token", token.as_str())];
        let address = format!("203.0.{network}.6");
        stranger.form("/auth/login", &fields).header("x-forwarded-for", &address).await.expect(401);
    }
    let failed = "FROM audit WHERE kind = 'sign_in_failed' AND actor = 'unknown'";
    for user in ["user_id IS NOT NULL", "user_id IS NULL"] {
        let count = format!("SELECT CAST(COALESCE(sum(times), 0) AS BIGINT) {failed} AND {user}");
        eventually("counted", async || (app.database().count(&count).await == 30).then_some(())).await;
        // An attacker with many addresses cannot fill the disk; the next hour may have begun in between.
        let rows = app.database().count(&format!("SELECT count(*) {failed} AND {user}")).await;
        assert!((1..=8).contains(&rows), "{rows} rows");
    }
    let rows = log_of(&app, "ada").await;
    assert!(rows.iter().any(|row| row.address.starts_with("203.0.") && row.times > 1), "{rows:?}");
}

async fn refresh_token_reuse_is_recorded(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let thief = ada.copy();
    for _ in 0..2 {
        ada.refresh("app").await.expect(200);
        app.clock().advance(Duration::from_secs(31));
    }
    thief.refresh("app").header("user-agent", "curl/8.0").await.expect(401);
    let rows = log_of(&app, "ada").await;
    assert_eq!(kinds(&rows), ["account_created", "reuse_detected"]);
    assert_eq!((rows[1].user_agent.as_str(), rows[1].actor.as_str()), ("curl/8.0", "unknown"));
    assert_eq!(rows[1].session_id, rows[0].session_id);
}

async fn operator_actions_are_recorded(engine: Engine) {
    let app = engine.app().await;
    for arguments in [
        ["user", "create", "ada@example.com"].as_slice(),
        &["user", "grant", "ada", "admin", "monitor"],
        &["user", "grant", "ada", "admin"],
        &["user", "disable", "ada"],
        &["user", "enable", "ada"],
        &["user", "set-password", "ada"],
    ] {
        assert!(run_program(arguments, app.variables()).await.status.success(), "{arguments:?}");
    }
    let rows = log_of(&app, "ada").await;
    let done = [
        "account_created",
        "roles_changed",
        "roles_changed",
        "account_disabled",
        "account_enabled",
        "password_changed",
    ];
    assert_eq!(kinds(&rows), done, "what changes nothing is not recorded");
    assert_eq!(rows[2].detail, "admin,monitor");
    assert!(rows.iter().all(|row| row.actor == "operator" && row.actor_user_id.is_none() && row.address.is_empty()));
}

/// Runs a command that succeeds, with its JSON.
async fn doorward(app: &TestApp, arguments: &[&str]) -> Value {
    let output = run_program(&[&["--json"], arguments].concat(), app.variables()).await;
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

async fn operators_can_list_audit_entries(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    app.clock().advance(Duration::from_secs(5));
    ada.log_in("ada", PASSWORD).await.expect(303);
    let shown = doorward(&app, &["user", "show", "ada"]).await;
    assert_eq!((&shown["sessions"], &shown["last_sign_in_address"]), (&1.into(), &"127.0.0.1".into()));
    assert!(shown["last_sign_in_at"].as_str() > shown["created_at"].as_str(), "{shown}");
    let log = doorward(&app, &["user", "audit", "ada@example.com"]).await;
    assert_eq!((&log[0]["kind"], &log[1]["kind"]), (&"signed_in".into(), &"account_created".into()));
    assert_eq!(doorward(&app, &["user", "audit", "ada", "--limit", "1"]).await.as_array().map(Vec::len), Some(1));
    let output = run_program(&["user", "audit", "ada"], app.variables()).await;
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().count() == 2 && text.contains("  signed_in  user  127.0.0.1"), "{text}");
    let nobody = run_program(&["user", "audit", "nobody"], app.variables()).await;
    assert_eq!(nobody.status.code(), Some(1));
}

async fn audit_log_outlives_account(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let id = ada.api_user().await.expect(200).json()["id"].as_str().unwrap().to_owned();
    ada.post_form("/auth/account/delete", &[("password", PASSWORD)]).await.expect(200);
    assert_eq!(app.database().count("SELECT count(*) FROM users").await, 0);
    assert_eq!(app.database().count("SELECT count(*) FROM audit WHERE kind = 'account_deleted'").await, 1);
    let log = doorward(&app, &["user", "audit", &id]).await;
    assert_eq!(log[0]["kind"], "account_deleted");
}

async fn old_entries_are_removed(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    app.clock().advance(RETENTION.saturating_sub(Duration::from_mins(1)));
    app.sign_up("bob@example.com").await;
    app.clock().advance(Duration::from_mins(1));
    let app = app.restart().await;
    let count = "SELECT count(*) FROM audit";
    eventually("the old entry is removed", async || (app.database().count(count).await == 1).then_some(())).await;
    assert_eq!(kinds(&log_of(&app, "bob").await), ["account_created"]);
}
