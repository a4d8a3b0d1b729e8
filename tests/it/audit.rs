//! The audit log: what happened to an account, who did it, and from where.

use crate::harness::{Client, Engine, Reply, TestApp, eventually, link_of, read, run_program, run_to_snapshot};
use doorward::background;
use doorward::domain::account::activity::{ActivityFilter, activity};
use doorward::domain::account::operator;
use doorward::domain::directory::list::ListRange;
use doorward::model::audit::RETENTION;
use doorward::model::list_place::ListPlace;
use doorward::model::principal::Principal;
use doorward::store::AuditRow;
use serde_json::Value;
use std::time::Duration;

both_engines![audit_log_outlives_account, old_entries_are_removed,];
one_engine![
    logins_and_logouts_are_recorded,
    failed_logins_are_recorded_for_unknown_accounts_too,
    every_judged_password_is_recorded,
    missing_second_factor_is_suspicious_unless_login_followed,
    client_is_unknown_where_proxy_headers_disagree,
    refresh_token_reuse_is_recorded,
    operator_actions_are_recorded,
    operators_can_list_audit_entries,
];

const PASSWORD: &str = "a lighthouse in the fog";

/// The entries about a user, the oldest first.
pub async fn log_of(app: &TestApp, login: &str) -> Vec<AuditRow> {
    let user = operator::find(&app.app.store, &Principal::operator(), login).await.unwrap().id;
    let mut rows = read(&app.app.store).await.audit_list_of_user(user, ListPlace::START, 100).await.unwrap();
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
    let mut conn = read(&app.app.store).await;
    let user = rows[0].user_id.unwrap();
    let (mut before, mut paged) = (ListPlace::START, Vec::new());
    while let [row] = conn.audit_list_of_user(user, before, 1).await.unwrap().as_slice() {
        before = ListPlace { at: row.at, id: row.id.0 };
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

/// The number of passwords that were recorded as this kind, with this detail.
async fn recorded(app: &TestApp, kind: &str, detail: &str) -> i64 {
    let of = format!("FROM audit WHERE kind = '{kind}' AND detail = '{detail}'");
    app.database().count(&format!("SELECT CAST(COALESCE(sum(times), 0) AS BIGINT) {of}")).await
}

/// Sends a wrong password and the right one in this field of a form; both must be recorded.
async fn is_judged_and_recorded(
    app: &TestApp,
    client: &Client,
    (path, fields): (&str, &[(&str, &str)]),
    detail: &str,
    (right_kind, right_detail): (&str, &str),
) -> Reply {
    let (field, others) = fields.split_last().unwrap();
    let send = async |password| client.post_form(path, &[others, &[(field.0, password)]].concat()).await;
    send("not the password").await.expect(422);
    eventually(&format!("a wrong password at {path}"), async || {
        (recorded(app, "confirm_failed", detail).await == 1).then_some(())
    })
    .await;
    let before = recorded(app, right_kind, right_detail).await;
    let reply = send(field.1).await;
    assert!([200, 303].contains(&reply.status), "{path}: {}", reply.status);
    assert_eq!(recorded(app, right_kind, right_detail).await, before + 1, "the right password at {path}");
    reply
}

async fn every_judged_password_is_recorded(engine: Engine) {
    const NEW: &str = "another lighthouse in the fog";
    let app = engine.prepare().await.with_email_verification().set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let link = link_of(&app.mail_to("ada@example.com", "Verify your").await);
    let (password, new) = (("password", PASSWORD), ("password", NEW));
    let judged = async |client: &Client, path: &str, fields: &[_], detail: &str, right| {
        is_judged_and_recorded(&app, client, (path, fields), detail, right).await
    };
    // In another browser, which then logs in.
    judged(&app.anonymous(), &link, &[password], "email_verification", ("confirmed", "email_verification")).await;
    ada.log_in("ada", PASSWORD).await.expect(303);
    judged(&ada, "/auth/account/confirm", &[password], "", ("confirmed", "")).await;
    ada.turn_on_two_factor(&app).await;
    let path = "/auth/account/two-factor/remove";
    judged(&ada, path, &[password], "two_factor_removal", ("confirmed", "two_factor_removal")).await;
    let current = ("current", PASSWORD);
    judged(&ada, "/auth/account/password", &[new, current], "password_change", ("password_changed", "")).await;
    judged(&ada, "/auth/account/delete", &[new], "account_deletion", ("confirmed", "account_deletion")).await;
    app.sign_up("cyd@example.com").await;
    // A pending signup has no account yet.
    let app = app.restart_with(&[("SVC_EMAIL_VERIFICATION", "required")]).await;
    app.anonymous().sign_up("bob@example.com").await.expect(303);
    let link = link_of(&app.mail_to("bob@example.com", "Finish").await);
    app.anonymous().post_form(&link, &[("password", "not the password")]).await.expect(422);
    eventually("a wrong password of a signup", async || {
        (recorded(&app, "confirm_failed", "email_verification").await == 2).then_some(())
    })
    .await;
    app.anonymous().post_form(&link, &[password]).await.expect(303);
    // A login that requires a verified address.
    let before = recorded(&app, "confirmed", "email_verification").await;
    app.anonymous().log_in("cyd", PASSWORD).await.expect(303);
    eventually("a right password without a session", async || {
        (recorded(&app, "confirmed", "email_verification").await == before + 1).then_some(())
    })
    .await;
}

async fn missing_second_factor_is_suspicious_unless_login_followed(engine: Engine) {
    let app = engine.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.0/8").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    let pending = async |from: &str| {
        let browser = app.anonymous();
        browser.get("/auth/login").await.expect(200);
        let token = browser.token("csrf").unwrap();
        let fields = [("email", "ada"), ("password", PASSWORD), ("csrf_token", token.as_str())];
        let reply = browser.form("/auth/login", &fields).header("x-forwarded-for", from).await.expect(303);
        assert_eq!(reply.location(), "/auth/login/second-factor");
        browser
    };
    let complete = async |browser: &Client, from: &str| {
        let (code, token) = (phone.next_code(&app), browser.token("csrf").unwrap());
        let fields = [("code", code.as_str()), ("csrf_token", token.as_str())];
        browser.form("/auth/login/second-factor", &fields).header("x-forwarded-for", from).await.expect(303);
    };
    let alarms = async || {
        let page = ada.get("/auth/account/activity").await.expect(200).text();
        (page.matches("second factor pending").count(), page.matches("Unusual").count())
    };
    // The owner comes from two addresses of one subnet, and has closed the page once before.
    pending("2001:db8::1").await;
    let own = pending("2001:db8::1").await;
    assert_eq!(alarms().await, (2, 0));
    complete(&own, "2001:db8::2").await;
    let _thief = pending("2001:db8:0:1::1").await;
    assert_eq!(alarms().await, (3, 0), "it may still be completed");
    // A login from elsewhere does not complete it.
    let own = pending("2001:db8::1").await;
    complete(&own, "2001:db8::1").await;
    app.clock().advance(Duration::from_mins(10));
    assert_eq!(alarms().await, (4, 1));
    let user = operator::find(&app.app.store, &Principal::operator(), "ada").await.unwrap().id;
    let (range, now) = (ListRange::first(100), app.clock().now());
    let found = activity(&app.app.store, &Principal::operator(), user, ActivityFilter::All, range, now).await.unwrap();
    let suspicious: Vec<_> = found.data.iter().filter(|found| found.is_suspicious).map(|found| &found.entry).collect();
    let [thief] = suspicious.as_slice() else { panic!("{suspicious:?}") };
    assert_eq!((thief.kind.as_str(), thief.actor.as_str()), ("second_factor_missing", "unknown"));
    assert_eq!(thief.address, "2001:db8:0:1::1");
    // The clock of a command is the computer's, by which the ten minutes are not over.
    let listed = doorward(&app, &["user", "audit", "ada"]).await;
    assert!(listed["data"].as_array().unwrap().iter().all(|entry| entry["suspicious"] == false), "{listed}");
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
        ["user", "create", "bob@example.com", "--role", "admin"].as_slice(),
        &["user", "create", "ada@example.com"],
        &["user", "grant", "ada", "admin", "monitor"],
        &["user", "grant", "ada", "admin"],
        &["user", "disable", "ada"],
        &["user", "enable", "ada"],
        &["user", "set-password", "ada"],
    ] {
        assert!(run_program(arguments, app.variables()).await.status.success(), "{arguments:?}");
    }
    let rows = log_of(&app, "ada").await;
    let done = ["account_created", "roles_changed", "account_disabled", "account_enabled", "password_changed"];
    assert_eq!(kinds(&rows), done, "what changes nothing is not recorded");
    assert_eq!(rows[1].detail, "admin,monitor");
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
    assert!(shown["last_login_at"].as_str() > shown["created_at"].as_str(), "{shown}");
    for (name, arguments) in [("show", ["user", "show", "ada"]), ("audit", ["user", "audit", "ada@example.com"])] {
        run_to_snapshot(&format!("commands/user_{name}_logged_in"), &arguments, app.variables()).await;
        let json = [arguments.as_slice(), &["--json"]].concat();
        run_to_snapshot(&format!("commands/user_{name}_logged_in_json"), &json, app.variables()).await;
    }
}

async fn audit_log_outlives_account(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let id = ada.api_user().await.expect(200).json()["id"].as_str().unwrap().to_owned();
    ada.post_form("/auth/account/delete", &[("password", PASSWORD)]).await.expect(200);
    assert_eq!(app.database().count("SELECT count(*) FROM users").await, 0);
    assert_eq!(app.database().count("SELECT count(*) FROM audit WHERE kind = 'account_deleted'").await, 1);
    let log = doorward(&app, &["user", "audit", &id]).await;
    assert_eq!(log["data"][0]["kind"], "account_deleted");
}

async fn old_entries_are_removed(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    app.clock().advance(RETENTION.saturating_sub(Duration::from_mins(1)));
    app.sign_up("bob@example.com").await;
    app.clock().advance(Duration::from_mins(1));
    background::clean_up(&app.app).await.unwrap();
    assert_eq!(app.database().count("SELECT count(*) FROM audit").await, 1);
    assert_eq!(kinds(&log_of(&app, "bob").await), ["account_created"]);
}

async fn client_is_unknown_where_proxy_headers_disagree(engine: Engine) {
    let app = engine.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.0/8").start().await;
    app.sign_up("ada@example.com").await;
    let log_in = async |app: &TestApp| {
        let browser = app.anonymous();
        browser.get("/auth/login").await.expect(200);
        let token = browser.token("csrf").unwrap();
        let fields = [("email", "ada@example.com"), ("password", PASSWORD), ("csrf_token", token.as_str())];
        let call = browser.form("/auth/login", &fields).header("x-forwarded-for", "203.0.113.9");
        call.header("forwarded", "for=x").await.expect(303);
        browser.get("/auth/account/sessions").await.expect(200).text()
    };
    let sessions = log_in(&app).await;
    assert!(sessions.contains("Unknown IP address"), "{sessions}");
    assert_eq!(log_of(&app, "ada").await.last().unwrap().address, "");
    let app = app.restart_with(&[("SVC_PROXY_HEADER", "X-Forwarded-For")]).await;
    let sessions = log_in(&app).await;
    assert!(sessions.contains("203.0.113.9"), "{sessions}");
    assert_eq!(log_of(&app, "ada").await.last().unwrap().address, "203.0.113.9");
}
