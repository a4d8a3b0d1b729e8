//! Password reset (docs/reference/browser.md 10.5).

use crate::harness::{Client, Engine, Process, Reply, TestApp, begin, eventually, link_of};
use doorward::domain::verification::password_reset_request;
use doorward::model::principal::Principal;
use doorward::store::ResetRequestRow;
use std::time::Duration;

both_engines![reset_request_survives_sigkill, reset_logs_nobody_in_whose_factor_was_lost];
one_engine![
    emailed_link_sets_new_password,
    reset_asks_for_second_factor_and_trusts_no_device,
    link_works_once_within_thirty_minutes,
    newer_link_invalidates_earlier_one,
    link_changes_only_its_own_account,
    known_and_unknown_addresses_cost_same_work,
    first_verification_removes_earlier_access,
    disabled_account_gets_no_link,
    address_change_invalidates_link,
    password_change_invalidates_link,
    expired_reset_request_sends_no_email
];
single_run![
    reset_applies_password_policy,
    form_with_invalid_csrf_token_sets_nothing,
    reset_emails_are_rate_limited,
    return_to_survives_reset,
];

const PASSWORD: &str = "a lighthouse in the fog";
const NEW: &str = "a second lighthouse in the fog";
const SUBJECT: &str = "Reset your password";
const VERIFY: &str = "UPDATE users SET email_verified_at = created_at";

async fn request_reset(client: &Client, email: &str) -> Reply {
    client.post_form("/auth/password/forgot", &[("email", email)]).await
}

/// The form of the page that a mailed link opens.
pub fn reset_fields(password: &str) -> [(&str, &str); 2] {
    [("password", password), ("account", "keep")]
}

/// Requests a reset and returns the path of the new link.
pub async fn link_for(app: &TestApp, email: &str) -> String {
    let before = app.mails_to(email).await.iter().rfind(|mail| mail.subject.contains(SUBJECT)).map(link_of);
    request_reset(&app.anonymous(), email).await.expect(303);
    eventually("a new link", async || {
        let link = link_of(&app.mail_to(email, SUBJECT).await);
        (Some(&link) != before.as_ref()).then_some(link)
    })
    .await
}

async fn emailed_link_sets_new_password(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("Ada@example.com").await;
    let browser = app.anonymous();
    browser.get("/auth/password/forgot").await.snapshot("forgot/shown");
    let sent = request_reset(&browser, " ada@EXAMPLE.com ").await.snapshot("forgot/sent");
    browser.get(sent.location()).await.snapshot("forgot/sent_shown");
    let link = link_of(&app.mail_to("ada@example.com", SUBJECT).await);
    for _ in 0..3 {
        browser.get(&link).await.snapshot("reset/shown");
    }
    app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(303);
    let next = browser.post_form(&link, &reset_fields(NEW)).await.snapshot("reset/done");
    browser.get(next.location()).await.snapshot("reset/done_shown");
    // Every session has ended but the one that the reset opened.
    ada.api_user().await.expect(401);
    ada.refresh("app").await.expect(401);
    browser.api_user().await.expect(200);
    browser.log_in("ada@example.com", PASSWORD).await.expect(401);
    browser.log_in("ada@example.com", NEW).await.expect(303);
    app.mail_to("ada@example.com", "Your password was changed").await;
    let reset = "SELECT count(*) FROM audit WHERE kind = 'password_reset'";
    assert_eq!(app.database().count(reset).await, 1);
}

async fn link_works_once_within_thirty_minutes(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    app.sign_up("ada@example.com").await;
    let browser = app.anonymous();
    let link = link_for(&app, "ada@example.com").await;
    app.clock().advance(Duration::from_secs(30 * 60 + 1));
    browser.get(&link).await.snapshot("reset/link_expired");
    browser.post_form(&link, &reset_fields(NEW)).await.snapshot("reset/link_expired_sent");
    let link = link_for(&app, "ada@example.com").await;
    browser.post_form(&link, &reset_fields(NEW)).await.expect(303);
    browser.get(&link).await.expect(404);
    browser.post_form(&link, &reset_fields(PASSWORD)).await.expect(404);
    browser.log_in("ada@example.com", NEW).await.expect(303);
    for unknown in ["/auth/password/reset/nothing", &format!("/auth/password/reset/{}", "A".repeat(5000))] {
        app.anonymous().get(unknown).await.expect(404);
    }
}

async fn newer_link_invalidates_earlier_one(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    app.sign_up("ada@example.com").await;
    let old = link_for(&app, "ada@example.com").await;
    let new = link_for(&app, "ada@example.com").await;
    let browser = app.anonymous();
    browser.get(&old).await.expect(404);
    browser.post_form(&old, &reset_fields(NEW)).await.expect(404);
    browser.post_form(&new, &reset_fields(NEW)).await.expect(303);
}

async fn link_changes_only_its_own_account(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    app.sign_up("ada@example.com").await;
    let eve = app.sign_up("eve@example.com").await;
    let link = link_for(&app, "eve@example.com").await;
    let fields =
        [("password", NEW), ("account", "keep"), ("email", "ada@example.com"), ("username", "ada@example.com")];
    eve.post_form(&link, &fields).await.expect(303);
    app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(303);
    app.anonymous().log_in("eve@example.com", NEW).await.expect(303);
    // The token of a verification link is refused.
    let link = link_of(&app.mail_to("ada@example.com", "Verify your").await);
    let token = link.rsplit('/').next().unwrap();
    app.anonymous().get(&format!("/auth/password/reset/{token}")).await.expect(404);
}

async fn known_and_unknown_addresses_cost_same_work(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().without_background().start().await;
    app.sign_up("ada@example.com").await;
    let mut costs = Vec::new();
    for email in ["ada@example.com", "nobody@example.com", "someone@example.com"] {
        let browser = app.anonymous();
        browser.get("/auth/password/forgot").await.expect(200);
        let verifications = app.app.passwords.verifications();
        let before = app.app.store.statements();
        let reply = request_reset(&browser, email).await.expect(303);
        let page = browser.get(reply.location()).await.text();
        // The work after the response is the same, too.
        password_reset_request::process_reset_requests(&app.app).await.unwrap();
        let statements = app.app.store.statements() - before;
        assert_eq!(app.app.passwords.verifications(), verifications);
        // Both have what was entered, and nothing else differs.
        let (path, about) = reply.location().split_once("&about=").unwrap();
        let csrf = browser.token("csrf").unwrap();
        let page = page.replace(email, "{email}").replace(about, "{about}").replace(&csrf, "{csrf}");
        costs.push((path.to_owned(), page, statements));
    }
    assert!(costs[0].2 > 0, "{costs:?}");
    assert_eq!(costs[0], costs[1]);
    assert_eq!(costs[1], costs[2]);
    assert_eq!(app.database().count("SELECT count(*) FROM account_tokens WHERE kind = 'password_reset'").await, 1);
    assert!(app.mails_to("nobody@example.com").await.is_empty());
    assert_eq!(app.database().count("SELECT count(*) FROM outbox WHERE kind = 'password-reset'").await, 1);
    assert_eq!(app.database().count("SELECT count(*) FROM mails WHERE recipient_key LIKE '%body@%'").await, 0);
}

async fn first_verification_removes_earlier_access(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    // Pre-hijacking: eve signs up with ada's address and requests a change to her own.
    let eve = app.sign_up("ada@example.com").await;
    eve.post_form("/auth/account/email", &[("email", "eve@example.com")]).await.expect(303);
    let change = link_of(&app.mail_to("eve@example.com", "Verify your new").await);
    let verification = link_of(&app.mail_to("ada@example.com", "Verify your").await);
    let link = link_for(&app, "ada@example.com").await;
    app.anonymous().post_form(&link, &reset_fields(NEW)).await.expect(303);
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL").await, 1);
    eve.api_user().await.expect(401);
    eve.get(&change).await.expect(404);
    eve.get(&verification).await.expect(404);
    app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(401);
    app.anonymous().log_in("ada@example.com", NEW).await.expect(303);
    assert_eq!(app.database().count("SELECT count(*) FROM account_tokens").await, 0);
}

async fn disabled_account_gets_no_link(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().without_background().start().await;
    app.sign_up("ada@example.com").await;
    let user = doorward::domain::account::operator::find(&app.app.store, &Principal::operator(), "ada").await.unwrap();
    crate::operators::set_disabled(&app.app, user.id, true).await.unwrap();
    request_reset(&app.anonymous(), "ada@example.com").await.expect(303);
    password_reset_request::process_reset_requests(&app.app).await.unwrap();
    assert!(!app.mails_to("ada@example.com").await.iter().any(|mail| mail.subject.contains(SUBJECT)));
}

async fn address_change_invalidates_link(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    let link = link_for(&app, "ada@example.com").await;
    ada.post_form("/auth/account/email", &[("email", "new@example.com")]).await.expect(303);
    ada.post_form(&link_of(&app.mail_to("new@example.com", "Verify your new").await), &[]).await.expect(303);
    app.anonymous().post_form(&link, &reset_fields(NEW)).await.expect(404);
}

async fn reset_applies_password_policy() {
    let app = Engine::Sqlite.prepare().await.with_email_verification().start().await;
    app.sign_up("ada.lovelace@example.com").await;
    let link = link_for(&app, "ada.lovelace@example.com").await;
    let browser = app.anonymous();
    for (name, password) in [
        ("too_short", "short"),
        ("too_common", "password1"),
        ("like_username", "ada.lovelace"),
        ("like_email", "ADA.lovelace@example.com"),
    ] {
        browser.post_form(&link, &reset_fields(password)).await.snapshot(&format!("reset/{name}"));
    }
    browser.post_form(&link, &reset_fields(NEW)).await.expect(303);
}

async fn form_with_invalid_csrf_token_sets_nothing() {
    let app = Engine::Sqlite.prepare().await.with_email_verification().start().await;
    app.sign_up("ada@example.com").await;
    let link = link_for(&app, "ada@example.com").await;
    let browser = app.anonymous();
    browser.get(&link).await.expect(200);
    let forged = [("csrf_token", "forged"), ("password", NEW), ("email", "ada@example.com")];
    browser.form(&link, &forged).await.snapshot("reset/wrong_token");
    browser.form("/auth/password/forgot", &forged).await.snapshot("forgot/wrong_token");
    app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(303);
    request_reset(&browser, "no address").await.snapshot("forgot/no_address");
}

async fn reset_emails_are_rate_limited() {
    let app = Engine::Sqlite.prepare().await.with_email_verification().without_background().start().await;
    app.sign_up("ada@example.com").await;
    for _ in 0..15 {
        request_reset(&app.anonymous(), "ada@example.com").await.expect(303);
    }
    password_reset_request::process_reset_requests(&app.app).await.unwrap();
    let queued = "SELECT count(*) FROM outbox WHERE kind = 'password-reset'";
    assert!(app.database().count(queued).await <= 6);
    // The last link works.
    let link = link_of(&app.mail_to("ada@example.com", SUBJECT).await);
    app.anonymous().get(&link).await.expect(200);
    let mut last = request_reset(&app.anonymous(), "nobody@example.com").await.expect(303);
    for number in 0..6 {
        last = request_reset(&app.anonymous(), &format!("nobody{number}@example.com")).await;
    }
    last.snapshot("forgot/too_many");
}

async fn return_to_survives_reset() {
    let app = Engine::Sqlite.prepare().await.with_email_verification().start().await;
    app.sign_up("ada@example.com").await;
    let browser = app.anonymous();
    let page = browser.get("/auth/login?return_to=%2Fapp%3Fa%3Db").await.text();
    assert!(page.contains("/auth/password/forgot?return_to=%2Fapp%3Fa%3Db"), "{page}");
    let page = browser.get("/auth/password/forgot?return_to=%2Fapp%3Fa%3Db").await.text();
    assert!(page.contains("value=\"/app?a=b\""), "{page}");
    let fields = [("email", "ada@example.com"), ("return_to", "/app?a=b")];
    browser.post_form("/auth/password/forgot", &fields).await.expect(303);
    let link = link_of(&app.mail_to("ada@example.com", SUBJECT).await);
    let next = app.anonymous().post_form(&link, &reset_fields(NEW)).await.expect(303);
    assert_eq!(next.location(), "/app?a=b");
}

async fn reset_asks_for_second_factor_and_trusts_no_device(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let browser = app.sign_up("ada@example.com").await;
    app.database().execute(VERIFY).await;
    let (phone, _) = browser.turn_on_two_factor(&app).await;
    app.clock().advance(Duration::from_mins(1));
    browser.log_in("ada@example.com", PASSWORD).await.expect(303);
    let trusted = [("code", phone.code(&app)), ("remember", "yes".to_owned())];
    let trusted = trusted.each_ref().map(|(name, value)| (*name, value.as_str()));
    browser.post_form("/auth/login/second-factor", &trusted).await.expect(303);
    app.clock().advance(Duration::from_mins(1));
    let link = link_for(&app, "ada@example.com").await;
    let next = browser.post_form(&link, &reset_fields(NEW)).await.expect(303);
    assert_eq!(next.location(), "/auth/login/second-factor");
    browser.api_user().await.expect(401);
    assert_eq!(browser.send_code(&phone.code(&app)).await.expect(303).location(), "/auth/account");
    browser.api_user().await.expect(200);
}

/// Password and mailbox together stand for an app that was lost with the secret key, and the link shows the mailbox alone.
async fn reset_logs_nobody_in_whose_factor_was_lost(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    app.sign_up("ada@example.com").await;
    app.database().execute(VERIFY).await;
    let link = link_for(&app, "ada@example.com").await;
    app.database().execute("INSERT INTO lost_factors (user_id, lost_at) SELECT id, created_at FROM users").await;
    let browser = app.anonymous();
    let next = browser.post_form(&link, &reset_fields(NEW)).await.snapshot("reset/done_with_lost_factor");
    assert!(!next.location().to_lowercase().contains("example"), "the address is sealed: {}", next.location());
    browser.get(next.location()).await.snapshot("login/password_set");
    browser.api_user().await.expect(401);
}

async fn password_change_invalidates_link(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    let link = link_for(&app, "ada@example.com").await;
    let fields = [("current", PASSWORD), ("password", NEW), ("end_others", "yes")];
    ada.post_form("/auth/account/password", &fields).await.expect(303);
    app.anonymous().get(&link).await.expect(404);
    app.anonymous().post_form(&link, &reset_fields(PASSWORD)).await.expect(404);
    app.anonymous().log_in("ada@example.com", NEW).await.expect(303);
}

const REQUESTS: &str = "SELECT count(*) FROM reset_requests";

async fn reset_request_survives_sigkill(engine: Engine) {
    let builder = engine.prepare().await.with_email_verification();
    let process = Process::start(builder.variables()).await;
    let ada = builder.anonymous();
    ada.sign_up("ada@example.com").await.expect(303);
    // SQLite has one writer, so that a lock would block the request itself.
    let lock = match engine {
        Engine::Postgres => Some(builder.database().hold_outbox().await),
        Engine::Sqlite => None,
    };
    request_reset(&ada, "ada@example.com").await.expect(303);
    if lock.is_some() {
        builder.database().wait_for_blocked(1).await;
        assert_eq!(builder.database().count(REQUESTS).await, 1);
    }
    process.kill();
    if let Some(lock) = lock {
        lock.release().await;
    }
    let app = builder.start().await;
    let link = link_of(&app.mail_to("ada@example.com", SUBJECT).await);
    app.anonymous().post_form(&link, &reset_fields(NEW)).await.expect(303);
    let processed = async || (app.database().count(REQUESTS).await == 0).then_some(());
    eventually("the request is processed", processed).await;
    assert_eq!(app.database().count("SELECT count(*) FROM outbox WHERE kind = 'password-reset'").await, 1);
}

async fn expired_reset_request_sends_no_email(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    app.sign_up("ada@example.com").await;
    let row = ResetRequestRow {
        id: uuid::Uuid::from_u128(1),
        email: "ada@example.com".to_owned(),
        locale: "en".to_owned(),
        return_to: None,
        created_at: app.clock().now() - Duration::from_mins(31),
    };
    let mut tx = begin(&app.app.store).await;
    tx.reset_request_create(&row).await.unwrap();
    tx.commit().await.unwrap();
    let deleted = async || (app.database().count(REQUESTS).await == 0).then_some(());
    eventually("the request is deleted", deleted).await;
    assert_eq!(app.database().count("SELECT count(*) FROM outbox WHERE kind = 'password-reset'").await, 0);
}
