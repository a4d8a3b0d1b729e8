//! `doorward setup-link` and `/auth/setup/{token}` (docs/reference/browser.md 10.3).

use crate::harness::{Client, Engine, PASSWORD, Process, Reply, TestApp, run_program};
use doorward::domain::change;
use doorward::domain::registration::setup;
use doorward::model::principal::Principal;
use serde_json::{Value, json};
use std::time::Duration;

both_engines![one_of_two_requests_with_same_link_succeeds,];
one_engine![
    printed_link_makes_administrator_in_every_mode,
    link_works_once_for_an_hour,
    newer_link_voids_earlier_one,
    link_is_void_once_there_is_an_administrator,
    refused_form_leaves_link_valid,
    start_names_the_command_but_no_link,
];

async fn link(app: &TestApp) -> String {
    let (token, _) = change::run(&app.app, &Principal::operator(), setup::IssueLink).await.unwrap().unwrap();
    format!("/auth/setup/{}", token.text())
}

async fn send(client: &Client, link: &str, email: &str) -> Reply {
    client.post_form(link, &[("email", email), ("password", PASSWORD)]).await
}

/// Fails unless the link leads nowhere, for looking and for sending.
async fn expect_void(app: &TestApp, link: &str) {
    let browser = app.anonymous();
    browser.get(link).await.expect(404);
    send(&browser, link, "late@example.com").await.expect(404);
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE email = 'late@example.com'").await, 0);
}

async fn printed_link_makes_administrator_in_every_mode(engine: Engine) {
    for signup in ["open", "invite", "closed"] {
        for verification in ["off", "optional", "required"] {
            let builder = engine.prepare().await.set("SVC_SIGNUP", signup);
            let app = builder.set("SVC_EMAIL_VERIFICATION", verification).start().await;
            let output = run_program(&["setup-link", "--json"], app.variables()).await;
            assert!(output.status.success(), "{output:?}");
            let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
            let url = printed["url"].as_str().unwrap();
            let path = url.strip_prefix(&app.variables()["SVC_BASE_URL"]).unwrap();
            let stored = "SELECT count(*) FROM setup_links WHERE length(token_hash) = 32";
            assert_eq!(app.database().count(stored).await, 1, "only a hash is stored");
            let ada = app.anonymous();
            ada.get(path).await.snapshot("setup/shown");
            send(&ada, path, "ada@example.com").await.snapshot("setup/done");
            let user = ada.api_user().await.expect(200).json();
            assert_eq!((&user["email"], &user["roles"]), (&json!("ada@example.com"), &json!(["svc:admin"])));
            ada.refresh("admin").await.expect(200);
            let verified = "SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL";
            assert_eq!(app.database().count(verified).await, i64::from(verification == "required"));
            app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(303);
            assert_eq!(app.database().count("SELECT count(*) FROM setup_links").await, 0);
        }
    }
}

async fn link_works_once_for_an_hour(engine: Engine) {
    let app = engine.app().await;
    let path = link(&app).await;
    app.clock().advance(Duration::from_secs(3599));
    app.anonymous().get(&path).await.expect(200);
    app.clock().advance(Duration::from_secs(1));
    app.anonymous().get(&path).await.snapshot("setup/expired");
    send(&app.anonymous(), &path, "late@example.com").await.snapshot("setup/expired_sent");
    let path = link(&app).await;
    send(&app.anonymous(), &path, "ada@example.com").await.expect(303);
    app.database().execute("UPDATE users SET roles = ''").await;
    expect_void(&app, &path).await;
    for nonsense in ["/auth/setup/x", "/auth/setup/%00", "/auth/setup/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"] {
        expect_void(&app, nonsense).await;
    }
}

async fn newer_link_voids_earlier_one(engine: Engine) {
    let app = engine.app().await;
    let (first, second) = (link(&app).await, link(&app).await);
    expect_void(&app, &first).await;
    app.anonymous().get(&second).await.expect(200);
}

async fn link_is_void_once_there_is_an_administrator(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    let path = link(&app).await;
    app.anonymous().get(&path).await.expect(200);
    let output = run_program(&["user", "grant", "ada", "monitor"], app.variables()).await;
    assert!(output.status.success(), "{output:?}");
    app.anonymous().get(&path).await.expect(200);
    let output = run_program(&["user", "grant", "ada", "admin"], app.variables()).await;
    assert!(output.status.success(), "{output:?}");
    expect_void(&app, &path).await;
}

async fn one_of_two_requests_with_same_link_succeeds(engine: Engine) {
    let app = engine.app().await;
    let path = link(&app).await;
    let (ada, bob) = (app.anonymous(), app.anonymous());
    let both = tokio::join!(send(&ada, &path, "ada@example.com"), send(&bob, &path, "bob@example.com"));
    let mut statuses = [both.0.status, both.1.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 404]);
    assert_eq!(app.database().count("SELECT count(*) FROM users").await, 1);
}

async fn refused_form_leaves_link_valid(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    let path = link(&app).await;
    let browser = app.anonymous();
    send(&browser, &path, "ada@example.com").await.snapshot("setup/address_taken");
    browser.post_form(&path, &[("email", "bob@example.com"), ("password", "short")]).await.snapshot("setup/too_short");
    let stale = [("email", "bob@example.com"), ("password", PASSWORD), ("csrf_token", "stale")];
    browser.form(&path, &stale).await.snapshot("setup/wrong_token");
    send(&browser, &path, "bob@example.com").await.expect(303);
}

async fn start_names_the_command_but_no_link(engine: Engine) {
    let builder = engine.prepare().await;
    let service = Process::start(builder.variables()).await;
    let log = service.stderr() + &service.stdout();
    assert!(log.contains("doorward setup-link") && !log.contains("/auth/setup/"), "{log}");
    service.kill();
    let create = ["user", "create", "ada@example.com", "--role", "admin"];
    assert!(run_program(&create, builder.variables()).await.status.success());
    let service = Process::start(builder.variables()).await;
    let log = service.stderr() + &service.stdout();
    assert!(!log.contains("setup-link"), "{log}");
}
