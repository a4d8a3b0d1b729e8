//! Step-up: sensitive changes require reauthentication.

use crate::harness::{Client, Engine, TestApp};
use std::time::Duration;

one_engine![
    reauthentication_is_required_after_15_minutes,
    session_of_previous_version_counts_from_its_login,
    wrong_password_or_csrf_token_does_not_reauthenticate,
    max_age_asks_again_within_15_minutes,
    mfa_asks_for_code_of_session_with_password,
    max_age_with_mfa_asks_for_code_and_then_for_password,
    session_lists_its_methods,
];

const PASSWORD: &str = "a lighthouse in the fog";
const CONFIRM: &str = "/auth/account/confirm?return_to=%2Fnext%3Fa%3Db";

async fn must_reauthenticate(client: &Client) -> bool {
    match client.get(CONFIRM).await {
        reply if reply.status == 200 => true,
        reply => {
            assert_eq!(reply.expect(303).location(), "/next?a=b");
            false
        }
    }
}

async fn reauthentication_is_required_after_15_minutes(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    assert!(!must_reauthenticate(&ada).await);
    app.clock().advance(Duration::from_mins(15) - Duration::from_secs(2));
    assert!(!must_reauthenticate(&ada).await);
    app.clock().advance(Duration::from_secs(2));
    assert!(must_reauthenticate(&ada).await);
    ada.refresh("app").await.expect(200);
    assert!(must_reauthenticate(&ada).await, "a refresh does not reauthenticate");
    ada.get(CONFIRM).await.snapshot("confirm/shown");
    let fields = [("password", PASSWORD), ("return_to", "/next?a=b")];
    ada.post_form("/auth/account/confirm", &fields).await.snapshot("confirm/done_with_return_to");
    assert!(!must_reauthenticate(&ada).await);
    let recorded = "SELECT count(*) FROM audit WHERE kind = 'confirmed'";
    assert_eq!(app.database().count(recorded).await, 1);
    // Other sessions of the same user are not affected.
    let elsewhere = app.anonymous();
    elsewhere.log_in("ada", PASSWORD).await.expect(303);
    app.clock().advance(Duration::from_mins(15));
    ada.post_form("/auth/account/confirm", &fields).await.expect(303);
    assert!(must_reauthenticate(&elsewhere).await);
    app.anonymous().get(CONFIRM).await.snapshot("confirm/logged_out");
}

async fn session_of_previous_version_counts_from_its_login(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    // As the previous version stored it.
    app.database().execute("UPDATE sessions SET authenticated_at = NULL").await;
    assert!(!must_reauthenticate(&ada).await);
    app.clock().advance(Duration::from_mins(15));
    assert!(must_reauthenticate(&ada).await);
}

async fn wrong_password_or_csrf_token_does_not_reauthenticate(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    app.clock().advance(Duration::from_mins(15));
    let wrong = [("password", "not the password at all")];
    ada.post_form("/auth/account/confirm", &wrong).await.snapshot("confirm/wrong_password");
    ada.form("/auth/account/confirm", &[("password", PASSWORD), ("csrf_token", "forged")])
        .await
        .snapshot("confirm/wrong_token");
    assert!(must_reauthenticate(&ada).await);
    for _ in 0..9 {
        ada.post_form("/auth/account/confirm", &wrong).await.expect(422);
    }
    let late = ada.post_form("/auth/account/confirm", &[("password", PASSWORD)]).await;
    late.snapshot("confirm/too_many_attempts");
}

/// The methods of the latest session.
async fn methods(app: &TestApp) -> String {
    app.database().texts("SELECT methods FROM sessions ORDER BY created_at DESC, id DESC LIMIT 1").await.remove(0)
}

async fn max_age_asks_again_within_15_minutes(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let page = "/auth/account/confirm?return_to=%2Fnext&max_age=300";
    app.clock().advance(Duration::from_secs(299));
    assert_eq!(ada.get(page).await.expect(303).location(), "/next");
    app.clock().advance(Duration::from_secs(1));
    assert!(!must_reauthenticate(&ada).await, "its own quarter of an hour is not over");
    ada.get(page).await.snapshot("confirm/max_age");
    let fields = [("password", PASSWORD), ("return_to", "/next")];
    ada.post_form("/auth/account/confirm?max_age=300", &[("password", "a wrong password")])
        .await
        .snapshot("confirm/max_age_wrong_password");
    assert_eq!(ada.post_form("/auth/account/confirm?max_age=300", &fields).await.expect(303).location(), "/next");
    assert_eq!(ada.get(page).await.expect(303).location(), "/next");
}

async fn mfa_asks_for_code_of_session_with_password(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let page = "/auth/account/confirm?return_to=%2Fnext&mfa=1";
    ada.get(page).await.snapshot("confirm/mfa_not_set_up");
    ada.post_form("/auth/account/confirm", &[("password", PASSWORD)]).await.expect(303);
    ada.get(page).await.expect(200);
    let (phone, codes) = ada.turn_on_two_factor(&app).await;
    ada.get(page).await.snapshot("confirm/mfa");
    let code = |code: &str| [("code", code.to_owned()), ("return_to", "/next".to_owned())];
    let send = async |fields: [(&str, String); 2]| {
        let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
        ada.post_form("/auth/account/confirm/code?mfa=1", &fields).await
    };
    send(code(&phone.wrong_code(&app))).await.snapshot("confirm/wrong_code");
    ada.get(page).await.expect(200);
    send(code(&phone.next_code(&app))).await.snapshot("confirm/done_by_code");
    assert_eq!(ada.get(page).await.expect(303).location(), "/next");
    assert_eq!(methods(&app).await, "password,totp");
    send(code(&phone.code(&app))).await.expect(422);
    send([("recovery_code", codes[0].clone()), ("return_to", "/next".to_owned())])
        .await
        .snapshot("confirm/done_by_recovery_code");
    assert_eq!(methods(&app).await, "password,totp,recovery_code");
    assert_eq!(app.database().count("SELECT count(*) FROM audit WHERE kind = 'recovery_code_used'").await, 1);
}

async fn max_age_with_mfa_asks_for_code_and_then_for_password(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    app.clock().advance(Duration::from_mins(5));
    let both = "max_age=300&mfa=1";
    let asks = async || {
        let page = ada.get(&format!("{CONFIRM}&{both}")).await.expect(200).text();
        [" name=\"code\"", " name=\"password\""].map(|field| page.contains(field))
    };
    assert_eq!(asks().await, [true, false]);
    let (code, target) = (phone.next_code(&app), ("return_to", "/next"));
    let left = ada.post_form(&format!("/auth/account/confirm/code?{both}"), &[("code", &code), target]).await;
    assert!(left.expect(303).location().starts_with(&format!("/auth/account/confirm?{both}&return_to=")));
    assert_eq!(asks().await, [false, true], "the code moved no time");
    let done = ada.post_form(&format!("/auth/account/confirm?{both}"), &[("password", PASSWORD), target]).await;
    assert_eq!(ada.get(done.expect(303).location()).await.expect(303).location(), "/next");
}

async fn session_lists_its_methods(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    assert_eq!(methods(&app).await, "password");
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    let browser = app.anonymous();
    browser.log_in("ada", PASSWORD).await.expect(303);
    let fields = [("code", phone.next_code(&app)), ("remember", "yes".to_owned())];
    let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
    browser.post_form("/auth/login/second-factor", &fields).await.expect(303);
    assert_eq!(methods(&app).await, "password,totp");
    browser.log_out().await.expect(204);
    app.clock().advance(Duration::from_secs(1));
    browser.log_in("ada", PASSWORD).await.expect(303);
    assert_eq!(methods(&app).await, "password,trusted_device", "a trusted device shows no factor");
    let page = "/auth/account/confirm?return_to=%2Fnext&mfa=1";
    browser.get(page).await.expect(200);
}
