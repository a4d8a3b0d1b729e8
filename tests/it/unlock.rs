//! An owner whom strangers keep out: an operator takes back what refuses the logins of one account, and nothing else.

use crate::harness::{Client, Engine, PASSWORD, Reply, TestApp, code_of, run_program};
use doorward::domain::account::{operator, unlock};
use doorward::domain::change;
use doorward::model::principal::Principal;
use std::time::Duration;

both_engines![unlock_takes_back_failures_of_networks_and_no_count_of_all_accounts, unlock_takes_back_wrong_codes,];
one_engine![owner_locked_out_by_strangers_logs_in_after_unlock, unlock_takes_back_failures_at_once_that_no_entry_names,];

const WRONG: &str = "not the password at all";
const OWNERS: &str = "198.51.100.1";

async fn start(engine: Engine) -> TestApp {
    engine.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.0/8").start().await
}

async fn visitor(app: &TestApp) -> Client {
    let client = app.anonymous();
    client.get("/auth/login").await.expect(200);
    client
}

async fn log_in(client: &Client, from: &str, name: &str, password: &str) -> Reply {
    let token = client.token("csrf").unwrap();
    let fields = [("email", name), ("password", password), ("csrf_token", token.as_str())];
    client.form("/auth/login", &fields).header("x-forwarded-for", from).await
}

/// Unlocks the account of ada; returns whether anything was taken back.
async fn unlock_ada(app: &TestApp) -> bool {
    let principal = Principal::operator();
    let ada = operator::find(&app.app.store, &principal, "ada").await.unwrap().id;
    change::run(&app.app, &principal, unlock::Unlock { user: ada }).await.unwrap()
}

async fn unlocked_entries(app: &TestApp) -> i64 {
    app.database().count("SELECT count(*) FROM audit WHERE kind = 'account_unlocked' AND actor = 'operator'").await
}

async fn owner_locked_out_by_strangers_logs_in_after_unlock(engine: Engine) {
    let app = start(engine).await;
    app.sign_up("ada@example.com").await;
    let stranger = visitor(&app).await;
    for name in ["ada", "ada@example.com"] {
        for number in 0..50 {
            let from = format!("203.0.113.{number}");
            log_in(&stranger, &from, name, WRONG).await.expect(401);
            // The longest delay before the fiftieth failure.
            app.clock().advance(Duration::from_secs(if number < 9 { 0 } else { 7200 }));
        }
        let refused = log_in(&visitor(&app).await, OWNERS, name, PASSWORD).await.expect(429);
        let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
        assert!(wait > 20 * 3600, "{name}: {wait}");
    }
    let output = run_program(&["user", "unlock", "ada", "--json"], app.variables()).await;
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&printed["changed"], &printed["username"]), (&true.into(), &"ada".into()), "{output:?}");
    assert_eq!(unlocked_entries(&app).await, 1);
    for name in ["ada", "ada@example.com"] {
        log_in(&visitor(&app).await, OWNERS, name, PASSWORD).await.expect(303);
    }
    // From then on failures count as before.
    for number in 100..110 {
        log_in(&stranger, &format!("203.0.113.{number}"), "ada", WRONG).await.expect(401);
    }
    assert!(unlock_ada(&app).await);
    assert!(!unlock_ada(&app).await);
    assert_eq!(unlocked_entries(&app).await, 2, "what changes nothing is not recorded");
}

async fn unlock_takes_back_failures_of_networks_and_no_count_of_all_accounts(engine: Engine) {
    let app = start(engine).await;
    app.sign_up("ada@example.com").await;
    let owner = visitor(&app).await;
    for _ in 0..10 {
        log_in(&owner, OWNERS, "ada", WRONG).await.expect(401);
    }
    for wait in [15, 30, 60, 120] {
        app.clock().advance(Duration::from_secs(wait));
        log_in(&owner, OWNERS, "ada", WRONG).await.expect(401);
    }
    log_in(&owner, OWNERS, "bob", WRONG).await.expect(401);
    log_in(&owner, OWNERS, "ada", PASSWORD).await.expect(429);
    let rows = async || app.database().count("SELECT count(*) FROM limits").await;
    let before = rows().await;
    assert!(unlock_ada(&app).await);
    assert_eq!(before - rows().await, 2, "those of the name, and of the network at it");
    log_in(&owner, OWNERS, "ada", PASSWORD).await.expect(303);
}

/// Entries are written behind, and of some tries in an hour they name the last network only.
async fn unlock_takes_back_failures_at_once_that_no_entry_names(engine: Engine) {
    let builder = engine.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.0/8");
    let app = builder.without_background().start().await;
    app.sign_up("ada@example.com").await;
    let owner = visitor(&app).await;
    log_in(&visitor(&app).await, OWNERS, "ada", PASSWORD).await.expect(303);
    for name in ["ada", "ada@example.com"] {
        while log_in(&owner, OWNERS, name, WRONG).await.status != 429 {}
    }
    let output = run_program(&["user", "unlock", "ada", "--json"], app.variables()).await;
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["changed"], true, "{output:?}");
    for name in ["ada", "ada@example.com"] {
        log_in(&visitor(&app).await, OWNERS, name, PASSWORD).await.expect(303);
    }
}

async fn unlock_takes_back_wrong_codes(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.post_form("/auth/email/verify", &[("code", "")]).await.expect(422);
    app.database().execute("UPDATE code_failures SET recent = 50, total = 100").await;
    let code = code_of(&app.mail_to("ada@example.com", "Verify your").await);
    ada.post_form("/auth/email/verify", &[("code", &code)]).await.expect(422);
    assert!(unlock_ada(&app).await);
    ada.post_form("/auth/email/verify", &[("code", &code)]).await.expect(303);
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    app.database().execute("UPDATE totp SET failures = 100, failed_at = created_at").await;
    let browser = app.anonymous();
    browser.log_in("ada", PASSWORD).await.expect(303);
    assert_ne!(browser.send_code(&phone.next_code(&app)).await.status, 303);
    assert!(unlock_ada(&app).await);
    let browser = app.anonymous();
    browser.log_in("ada", PASSWORD).await.expect(303);
    browser.send_code(&phone.next_code(&app)).await.expect(303);
}
