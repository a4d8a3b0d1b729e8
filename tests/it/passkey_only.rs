//! Accounts with passkeys and no password can do everything that requires reauthentication.

use crate::harness::{Client, Engine, PASSWORD, TestApp, eventually, link_of};
use crate::passkeys::{Person, send, service_from};
use doorward::domain::account::operator;
use doorward::model::principal::Principal;
use serde_json::json;
use std::time::Duration;

browser![passkey_alone_is_sufficient, assertion_confirms_only_its_account_once];
one_engine![account_without_password_requires_recent_authentication, mailed_link_sets_first_password,];

const NEW_PASSWORD: &str = "a second lighthouse in the fog";
const PAST_REAUTHENTICATION_TTL: Duration = Duration::from_mins(16);

/// Undoes an email change by an attacker, which removes the password and leaves the passkey from before.
async fn undo_email_change(app: &TestApp) {
    let eve = app.anonymous();
    eve.log_in("ada@example.com", PASSWORD).await.expect(303);
    eve.post_form("/auth/account/email", &[("email", "eve@example.com")]).await.expect(303);
    eve.post_form(&link_of(&app.mail_to("eve@example.com", "Verify your new").await), &[]).await.expect(303);
    let undo = link_of(&app.mail_to("ada@example.com", "Your email address was changed").await);
    app.anonymous().post_form(&undo, &[]).await.expect(303);
}

async fn passkey_alone_is_sufficient() {
    let (app, url) = service_from(Engine::Sqlite.prepare().await.with_email_verification()).await;
    let ada = Person::sign_up(&url).await;
    let page = &ada.browser;
    page.go(&format!("{url}{}", link_of(&app.mail_to("ada@example.com", "Verify your").await))).await;
    page.press("Verify my email").await;
    ada.add_passkey("Phone").await;
    app.clock().advance(Duration::from_hours(73));
    undo_email_change(&app).await;
    let alone = "SELECT count(*) FROM users WHERE password_hash IS NULL";
    assert_eq!(
        (app.database().count(alone).await, app.database().count("SELECT count(*) FROM passkeys").await),
        (1, 1)
    );
    ada.open_login_page_without_autofill().await;
    page.press("Log in with a passkey").await;
    page.wait_for_url("/auth/health").await;

    // Adding a passkey on another phone is confirmed with the old one.
    app.clock().advance(PAST_REAUTHENTICATION_TTL);
    page.go(&format!("{url}/auth/account/passkeys/new")).await;
    let asked = page.text().await;
    assert!(asked.contains("no password") && !asked.contains("Your password"), "{asked}");
    page.press("Use a passkey").await;
    page.wait_for_url("/auth/account/passkeys/new").await;
    let old = ada.webauthn("getCredentials", json!({})).await["credentials"][0].clone();
    ada.webauthn("clearCredentials", json!({})).await;
    page.press("Create passkey").await;
    page.wait_for_url("/auth/account/passkeys?done=added").await;
    ada.rename_newest_passkey("New phone").await;

    // The old one can be removed, the last one cannot.
    ada.remove_passkey("first").await;
    page.wait_for_url("/auth/account/passkeys?done=removed").await;
    assert!(!old.is_null() && !page.text().await.contains("Old") && page.text().await.contains("New phone"));
    ada.remove_passkey("first").await;
    assert!(page.text().await.contains("your only way to log in"), "{}", page.text().await);

    // Setting a password.
    app.clock().advance(PAST_REAUTHENTICATION_TTL);
    page.go(&format!("{url}/auth/account/password")).await;
    page.press("Use a passkey").await;
    page.wait_for_url("/auth/account/password").await;
    page.type_into("password", NEW_PASSWORD).await;
    page.press("Set password").await;
    page.wait_for_url("done=password").await;
    app.anonymous().log_in("ada@example.com", NEW_PASSWORD).await.expect(303);
    assert_eq!(app.database().count("SELECT count(*) FROM audit WHERE kind = 'confirmed'").await, 2);

    // Deleting the account, again without a password.
    app.database().execute("UPDATE users SET password_hash = NULL").await;
    app.clock().advance(PAST_REAUTHENTICATION_TTL);
    page.go(&format!("{url}/auth/account/delete")).await;
    page.press("Use a passkey").await;
    page.wait_for_url("/auth/account/delete").await;
    page.press("Delete account").await;
    assert!(page.text().await.contains("Your account is deleted"), "{}", page.text().await);
    assert_eq!(app.database().count("SELECT count(*) FROM users").await, 0);
}

async fn assertion_confirms_only_its_account_once() {
    let (app, url) = service_from(Engine::Sqlite.prepare().await).await;
    let ada = Person::sign_up(&url).await;
    ada.add_passkey("Phone").await;
    let client = app.anonymous();
    client.log_in("ada", PASSWORD).await.expect(303);
    let eve = app.sign_up("eve@example.com").await;
    let send = async |client: &Client, form: &str| send(client, "/auth/account/confirm/passkey", form).await;
    app.clock().advance(PAST_REAUTHENTICATION_TTL);
    ada.set_user_presence(true).await;
    ada.browser.go(&format!("{url}/auth/account/confirm?return_to=%2Fauth%2Fhealth")).await;
    let (_, form) = ada.assertion("required").await;
    // The assertion is refused in another account and recorded there.
    send(&eve, &form).await.snapshot("confirm/passkey_of_other_account");
    let noted = async || {
        (app.database().count("SELECT count(*) FROM audit WHERE kind = 'confirm_failed'").await == 1).then_some(())
    };
    eventually("a word in the audit log", noted).await;
    send(&client, &form).await.snapshot("confirm/done_by_passkey");
    send(&client, &form).await.snapshot("confirm/passkey_sent_twice");
    assert_eq!(app.database().count("SELECT count(*) FROM audit WHERE kind = 'passkey_copied'").await, 0);
    // An assertion without user verification is refused.
    app.clock().advance(PAST_REAUTHENTICATION_TTL);
    ada.browser.go(&format!("{url}/auth/account/confirm")).await;
    ada.webauthn("setUserVerified", json!({ "isUserVerified": false })).await;
    let (_, form) = ada.assertion("discouraged").await;
    send(&client, &form).await.expect(422);
    // An assertion for the login challenge is refused.
    ada.webauthn("setUserVerified", json!({ "isUserVerified": true })).await;
    ada.log_out().await;
    ada.open_login_page_without_autofill().await;
    let (_, form) = ada.assertion("required").await;
    send(&client, &form).await.expect(422);
    assert_eq!(client.get("/auth/account/delete").await.expect(200).status, 200, "the password is asked for there");
    assert!(client.get("/auth/account/passkeys/new").await.expect(303).location().contains("/confirm?"));
}

/// A logged-in user with a passkey and no password, as after [`undo_email_change`].
async fn passkey_only(engine: Engine) -> (TestApp, Client) {
    let app =
        engine.prepare().await.with_email_verification().set("SVC_BASE_URL", "https://login.example.com").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let user = operator::find(&app.app.store, &Principal::operator(), "ada").await.unwrap().id;
    app.store_passkey(user).await;
    app.database().execute("UPDATE users SET password_hash = NULL").await;
    (app, ada)
}

async fn account_without_password_requires_recent_authentication(engine: Engine) {
    let (app, ada) = passkey_only(engine).await;
    let insert = match engine {
        Engine::Sqlite => "INSERT INTO totp SELECT id, x'00', 1, 1, 0, 0, NULL FROM users",
        Engine::Postgres => "INSERT INTO totp SELECT id, '\\x00'::bytea, now(), now(), 0, 0, NULL FROM users",
    };
    app.database().execute(insert).await;
    let pages = ["/auth/account/delete", "/auth/account/two-factor/remove", "/auth/account/password"];
    for (page, name) in pages.iter().zip(["delete", "two_factor_remove", "password"]) {
        ada.get(page).await.snapshot(&format!("passkey_only/{name}"));
    }
    app.clock().advance(PAST_REAUTHENTICATION_TTL);
    ada.refresh("app").await.expect(200);
    for page in pages {
        let asked = format!("/auth/account/confirm?return_to={}", page.replace('/', "%2F").replace('-', "%2D"));
        assert_eq!(ada.get(page).await.expect(303).location(), asked);
        assert_eq!(ada.post_form(page, &[("password", NEW_PASSWORD)]).await.expect(303).location(), asked);
    }
    ada.get("/auth/account/confirm").await.snapshot("passkey_only/confirm");
    // An empty password does not match a missing one.
    ada.post_form("/auth/account/confirm", &[("password", "")]).await.expect(422);
    ada.form("/auth/account/confirm/passkey", &[("csrf_token", "forged")]).await.expect(403);
    for junk in ["", "{}", "null"] {
        let fields = [("credential", junk), ("state", "AAAA")];
        ada.post_form("/auth/account/confirm/passkey", &fields).await.snapshot("confirm/passkey_refused");
    }
    assert_eq!(app.database().count("SELECT count(*) FROM totp").await, 1);
    // As after an assertion.
    let now = match engine {
        Engine::Sqlite => format!("UPDATE sessions SET authenticated_at = {}", app.clock().now().as_micros()),
        Engine::Postgres => {
            format!("UPDATE sessions SET authenticated_at = to_timestamp({} / 1e6)", app.clock().now().as_micros())
        }
    };
    app.database().execute(&now).await;
    let confirmed = async || (ada.get("/auth/account/delete").await.status == 200).then_some(());
    eventually("the change is seen", confirmed).await;
    ada.post_form("/auth/account/two-factor/remove", &[]).await.expect(303);
    assert_eq!(app.database().count("SELECT count(*) FROM totp").await, 0);
    ada.post_form("/auth/account/delete", &[]).await.expect(200);
    assert_eq!(app.database().count("SELECT count(*) FROM users").await, 0);
}

async fn mailed_link_sets_first_password(engine: Engine) {
    let (app, ada) = passkey_only(engine).await;
    app.clock().advance(PAST_REAUTHENTICATION_TTL);
    ada.post_form("/auth/password/forgot", &[("email", "ada@example.com")]).await.expect(303);
    let link = link_of(&app.mail_to("ada@example.com", "Reset your password").await);
    app.anonymous().post_form(&link, &[("password", NEW_PASSWORD), ("account", "keep")]).await.expect(303);
    ada.log_in("ada@example.com", NEW_PASSWORD).await.expect(303);
    app.clock().advance(PAST_REAUTHENTICATION_TTL);
    let asked = ada.get("/auth/account/confirm").await.expect(200).text();
    assert!(asked.contains("type=\"password\""), "{asked}");
}
