//! Recovery codes, trusted devices, and the operator's reset of two-factor authentication.

use crate::harness::{Client, Engine, PASSWORD, TestApp, begin, read, recovery_codes, run_program};
use crate::organizations::user_id;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use doorward::domain::account::operator::{self, SetPassword};
use doorward::domain::change;
use doorward::model::ids::UserId;
use doorward::model::principal::Principal;
use serde_json::Value;
use std::time::Duration;

both_engines![second_factors_survive_secret_key_change, code_used_twice_at_once_counts_once];
one_engine![
    recovery_code_works_once,
    new_recovery_codes_invalidate_old_ones,
    trusted_device_skips_second_factor_for_30_days,
    password_change_forgets_trusted_devices,
    operator_resets_two_factor,
    second_factors_are_stored_encrypted_or_hashed,
];

const PAGE: &str = "/auth/account/recovery-codes";

async fn pending_login(app: &TestApp, email: &str) -> Client {
    let browser = app.anonymous();
    browser.log_in(email, PASSWORD).await.expect(303);
    browser
}

async fn doorward(app: &TestApp, arguments: &[&str]) -> Value {
    let output = run_program(&[&["--json"], arguments].concat(), app.variables()).await;
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

async fn recovery_code_works_once(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (_, codes) = ada.turn_on_two_factor(&app).await;
    let bob = app.sign_up("bob@example.com").await;
    let (_, codes_of_bob) = bob.turn_on_two_factor(&app).await;
    let browser = pending_login(&app, "ada@example.com").await;
    browser.get("/auth/login/second-factor?with=recovery-code").await.snapshot("second_factor/recovery_code_shown");
    browser.send_recovery_code(&codes_of_bob[0]).await.snapshot("second_factor/wrong_recovery_code");
    browser
        .send_recovery_code(&codes[3].replace('-', " ").to_uppercase())
        .await
        .snapshot("second_factor/recovery_code_done");
    browser.api_user().await.expect(200);
    let again = pending_login(&app, "ada@example.com").await;
    again.send_recovery_code(&codes[3]).await.expect(401);
    let other = pending_login(&app, "ada@example.com").await;
    let (one, two) = tokio::join!(again.send_recovery_code(&codes[4]), other.send_recovery_code(&codes[4]));
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 401]);
    assert!(ada.get("/auth/account/two-factor").await.text().contains("8 of 10 left."));
}

/// The login locks the account besides.
async fn code_used_twice_at_once_counts_once(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.turn_on_two_factor(&app).await;
    let user = UserId(user_id(&ada).await.parse().unwrap());
    let use_code = async || {
        let mut tx = begin(&app.app.store).await;
        let counts = tx.recovery_code_use(user, 1).await.unwrap();
        tx.commit().await.unwrap();
        counts
    };
    let (one, other) = tokio::join!(use_code(), use_code());
    assert_eq!(usize::from(one) + usize::from(other), 1, "{one} and {other}");
    assert_eq!(read(&app.app.store).await.recovery_codes_unused(user).await.unwrap().len(), 9);
}

async fn new_recovery_codes_invalidate_old_ones(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.get(PAGE).await.snapshot("recovery_codes/two_factor_off");
    ada.post_form(PAGE, &[]).await.snapshot("recovery_codes/two_factor_off_sent");
    let (_, old) = ada.turn_on_two_factor(&app).await;
    ada.get(PAGE).await.snapshot("recovery_codes/shown");
    ada.form(PAGE, &[]).await.snapshot("recovery_codes/wrong_token");
    app.clock().advance(Duration::from_mins(16));
    ada.get(PAGE).await.snapshot("recovery_codes/confirm_needed");
    ada.post_form(PAGE, &[]).await.snapshot("recovery_codes/confirm_needed_sent");
    let shown = ada.post_confirmed(PAGE, &[]).await.snapshot("recovery_codes/created");
    let new = recovery_codes(&shown);
    assert_eq!(new.len(), 10);
    let html = shown.text();
    let file = html.split("href=\"data:text/plain;charset=utf-8,").nth(1).unwrap().split('"').next().unwrap();
    for code in &new {
        assert!(file.contains(&code.replace('-', "%2D")), "{file}");
        // Shown once.
        assert!(!ada.get(PAGE).await.text().contains(code.as_str()));
    }
    let browser = pending_login(&app, "ada@example.com").await;
    browser.send_recovery_code(&old[0]).await.expect(401);
    browser.send_recovery_code(&new[0]).await.expect(303);
}

/// Logs in with both factors and makes the device trusted.
async fn trusted_device(app: &TestApp, email: &str, recovery_code: &str) -> Client {
    let browser = pending_login(app, email).await;
    let fields = [("recovery_code", recovery_code), ("remember", "yes")];
    browser.post_form("/auth/login/second-factor", &fields).await.snapshot("second_factor/done_on_trusted_device");
    browser
}

/// Whether a login with the password requires the second factor.
async fn requires_second_factor(browser: &Client, email: &str) -> bool {
    browser.log_in(email, PASSWORD).await.expect(303).location() == "/auth/login/second-factor"
}

async fn trusted_device_skips_second_factor_for_30_days(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (_, codes) = ada.turn_on_two_factor(&app).await;
    let bob = app.sign_up("bob@example.com").await;
    bob.turn_on_two_factor(&app).await;
    let browser = trusted_device(&app, "ada@example.com", &codes[0]).await;
    assert!(!requires_second_factor(&browser, "ada@example.com").await);
    assert!(requires_second_factor(&browser, "bob@example.com").await, "another user of the same browser");
    assert!(requires_second_factor(&app.anonymous(), "ada@example.com").await, "another browser");
    app.clock().advance(Duration::from_hours(30 * 24 - 1));
    assert!(!requires_second_factor(&browser, "ada@example.com").await);
    app.clock().advance(Duration::from_hours(1));
    assert!(requires_second_factor(&browser, "ada@example.com").await);
    let ada = trusted_device(&app, "ada@example.com", &codes[1]).await;
    trusted_device(&app, "ada@example.com", &codes[2]).await;
    let page = ada.get("/auth/account/two-factor").await.expect(200).text();
    assert!(page.contains("2 trusted devices."), "{page}");
    ada.post_form("/auth/account/two-factor/forget-devices", &[]).await.snapshot("two_factor/devices_forgotten");
    assert!(ada.get("/auth/account/two-factor").await.text().contains("No trusted devices."));
    assert!(requires_second_factor(&ada, "ada@example.com").await);
}

async fn password_change_forgets_trusted_devices(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (_, codes) = ada.turn_on_two_factor(&app).await;
    let browser = trusted_device(&app, "ada@example.com", &codes[0]).await;
    let user = operator::find(&app.app.store, &Principal::operator(), "ada").await.unwrap();
    let change = SetPassword::prepare(&app.app, &Principal::operator(), &user, PASSWORD.into()).await.unwrap();
    change::run(&app.app, &Principal::operator(), change).await.unwrap();
    assert!(requires_second_factor(&browser, "ada@example.com").await);
    browser.send_recovery_code(&codes[1]).await.expect(303);
    assert!(browser.get("/auth/account/two-factor").await.text().contains("No trusted devices."));
    // Turning two-factor authentication off forgets the devices.
    let browser = trusted_device(&app, "ada@example.com", &codes[2]).await;
    browser.post_form("/auth/account/two-factor/remove", &[("password", PASSWORD)]).await.expect(303);
    browser.turn_on_two_factor(&app).await;
    assert!(requires_second_factor(&browser, "ada@example.com").await);
}

async fn operator_resets_two_factor(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    assert_eq!(doorward(&app, &["user", "show", "ada"]).await["two_factor"], false);
    let (_, codes) = ada.turn_on_two_factor(&app).await;
    let browser = trusted_device(&app, "ada@example.com", &codes[0]).await;
    let shown = doorward(&app, &["user", "show", "ada"]).await;
    assert_eq!(shown["recovery_codes_left"], 9);
    assert_eq!(shown["remembered_devices"], 1);
    assert_eq!(doorward(&app, &["user", "two-factor", "reset", "ada", "--yes"]).await["changed"], true);
    assert_eq!(doorward(&app, &["user", "two-factor", "reset", "ada", "--yes"]).await["changed"], false);
    for session in [&ada, &browser] {
        let ended = async || (session.api_user().await.status == 401).then_some(());
        crate::harness::eventually("the session ends", ended).await;
    }
    app.anonymous().log_in("ada", PASSWORD).await.expect(303).cookie("svc_access").unwrap();
}

async fn second_factors_survive_secret_key_change(engine: Engine) {
    let first = STANDARD.encode([1; 32]);
    let second = STANDARD.encode([2; 32]);
    let app = engine.prepare().await.set("SVC_SECRET_KEY", &first).start().await;
    let ada = app.sign_up("ada@example.com").await;
    app.database().execute("UPDATE users SET email_verified_at = created_at").await;
    let (phone, codes) = ada.turn_on_two_factor(&app).await;
    let app = app.restart_with(&[("SVC_SECRET_KEY", &format!("new:{second},old:{first}"))]).await;
    // The signing key, the TOTP key, ten recovery codes, the email about them, and the answer to the signup.
    assert_eq!(doorward(&app, &["secrets", "reseal"]).await["resealed"], 14);
    assert_eq!(doorward(&app, &["secrets", "reseal"]).await["resealed"], 0);
    let app = app.restart_with(&[("SVC_SECRET_KEY", &second)]).await;
    pending_login(&app, "ada").await.send_code(&phone.next_code(&app)).await.expect(303);
    pending_login(&app, "ada").await.send_recovery_code(&codes[0]).await.expect(303);
}

async fn second_factors_are_stored_encrypted_or_hashed(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (_, codes) = ada.turn_on_two_factor(&app).await;
    let browser = trusted_device(&app, "ada@example.com", &codes[0]).await;
    let pending = pending_login(&app, "ada@example.com").await;
    let hex = |column: &str, table: &str| match engine {
        Engine::Sqlite => format!("SELECT lower(hex({column})) FROM {table}"),
        Engine::Postgres => format!("SELECT encode({column}, 'hex') FROM {table}"),
    };
    // A seal: version, key id, nonce, ciphertext of a secret (20 bytes) or a hash (32), tag (16).
    for (sql, length) in [(hex("secret", "totp"), 1 + 4 + 12 + 20 + 16), (hex("code_hash", "recovery_codes"), 65)] {
        let stored = app.database().texts(&sql).await;
        assert!(
            !stored.is_empty() && stored.iter().all(|row| row.starts_with("01") && row.len() == 2 * length),
            "{sql}"
        );
    }
    for (client, cookie, table) in [(&browser, "device", "remembered_devices"), (&pending, "login", "half_log_ins")] {
        let token = client.token(cookie).unwrap();
        let as_hex: Vec<String> = token.bytes().map(|byte| format!("{byte:02x}")).collect();
        let as_hex = as_hex.concat();
        let stored = app.database().texts(&hex("token_hash", table)).await;
        assert!(stored.iter().any(|row| row.len() == 64) && !stored.contains(&as_hex), "{table}");
    }
}
