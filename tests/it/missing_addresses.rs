//! An account whose address went to the person who verified it, and said that the account is not theirs: it has no
//! address until its user adds one (docs/concepts/decisions/0007).

use crate::harness::{Client, Engine, PASSWORD, Receiver, TestApp, code_of, link_of, run_program, wrong_code};
use crate::organizations::{create_team, user_id};
use crate::provider_logins::{Stage, people};
use crate::unverified_holders::{sign_up_and_answer, unverified};
use doorward::domain::provider::fields::ProviderFields;
use std::time::Duration;

one_engine![
    login_leads_to_change_of_address,
    stranger_uses_up_no_mails_to_an_address,
    required_verification_asks_for_address_after_password,
    address_is_asked_for_after_second_factor,
    address_page_needs_its_own_pending_login,
    taken_address_is_told_to_its_owner_alone,
    placeholder_is_no_address,
    silent_login_enters_no_address_for_an_account_with_more_to_show,
    mails_end_with_the_login_that_asked_for_them,
];

const ADA: &str = "ada@example.com";
const NEW: &str = "eve@example.com";
const ADDRESS: &str = "/auth/login/address";
const VERIFY: &str = "/auth/email/verify";

/// An account without an address, called `eve`.
async fn without_address(app: &TestApp) -> Client {
    let eve = unverified(app, ADA, "eve").await;
    sign_up_and_answer(app, ADA, "anew").await;
    eve
}

async fn with_mode(engine: Engine, mode: &str) -> (TestApp, Client) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let eve = without_address(&app).await;
    (app.restart_with(&[("SVC_EMAIL_VERIFICATION", mode)]).await, eve)
}

async fn log_in(client: &Client) -> String {
    let fields = [("email", "eve"), ("password", PASSWORD), ("return_to", "/app?a=b")];
    client.post_form("/auth/login", &fields).await.expect(303).location().to_owned()
}

async fn login_leads_to_change_of_address(engine: Engine) {
    for mode in ["optional", "off"] {
        let (app, _) = with_mode(engine, mode).await;
        let eve = app.anonymous();
        let next = log_in(&eve).await;
        assert_eq!(next, "/auth/account/email?return_to=%2Fapp%3Fa%3Db");
        eve.get(&next).await.snapshot(&format!("email_change/no_address_{mode}"));
        // The account page reminds of it, and there is nothing to verify.
        eve.get("/auth/account").await.snapshot(&format!("account/no_address_{mode}"));
        assert_eq!(eve.get(VERIFY).await.expect(303).location(), "/auth/account/email");
        assert_eq!(eve.post_form(&format!("{VERIFY}/resend"), &[]).await.expect(303).location(), "/auth/account/email");
        eve.post_form("/auth/account/email", &[("email", NEW)]).await.expect(303);
        let code = code_of(&app.mail_to(NEW, "Verify your new").await);
        eve.post_form("/auth/account/email/confirm", &[("code", &code)]).await.expect(303);
        assert!(!eve.get("/auth/account").await.text().contains("Add an email address"));
        assert_eq!(eve.api_user().await.json()["email"], NEW);
        assert_eq!(log_in(&app.anonymous()).await, "/app?a=b");
        let to_nowhere = "SELECT count(*) FROM mails WHERE recipient_key LIKE '%unverified.invalid'";
        assert_eq!(app.database().count(to_nowhere).await, 0);
    }
}

async fn required_verification_asks_for_address_after_password(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.with_email_verification().webhooks(&receiver).start().await;
    let old = without_address(&app).await;
    let app = app.restart_with(&[("SVC_EMAIL_VERIFICATION", "required")]).await;
    let updated = "SELECT count(*) FROM outbox WHERE kind = 'user.updated'";
    assert_eq!(app.database().count(updated).await, 1);
    // Sessions from before stay; a new one needs a verified address.
    old.api_user().await.expect(200);
    let id = user_id(&old).await;
    let eve = app.anonymous();
    eve.log_in("eve", "not the password at all").await.expect(401);
    eve.get("/auth/login/address?return_to=%2Fapp").await.snapshot("login_address/no_pending_login");
    let next = log_in(&eve).await;
    assert_eq!(next, "/auth/login/address?return_to=%2Fapp%3Fa%3Db");
    eve.get(&next).await.snapshot("login_address/shown");
    eve.post_form(ADDRESS, &[("email", "nobody")]).await.snapshot("login_address/no_address");
    eve.post_form(ADDRESS, &[("email", "x@unverified.invalid")]).await.snapshot("login_address/placeholder");
    let fields = [("email", NEW), ("return_to", "/app?a=b")];
    eve.post_form(ADDRESS, &fields).await.snapshot("login_address/sent");
    assert!(eve.get(VERIFY).await.expect(200).text().contains(NEW));
    eve.api_user().await.expect(401);
    // Another mail can be asked for; only the newest code counts.
    app.clock().advance(Duration::from_secs(61));
    eve.post_form(&format!("{VERIFY}/resend"), &[]).await.expect(303);
    let mail = app.mail_to(NEW, "Verify your").await;
    // The link alone, in another browser, is not enough.
    app.anonymous().post_form(&link_of(&mail), &[]).await.expect(422);
    eve.post_form(VERIFY, &[("code", &wrong_code(&code_of(&mail)))]).await.expect(422);
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE email_verified_at IS NULL").await, 1);
    eve.post_form(VERIFY, &[("code", &code_of(&mail))]).await.snapshot("verify/missing_address_done");
    eve.api_user().await.expect(401);
    assert_eq!(log_in(&eve).await, "/app?a=b");
    let user = eve.api_user().await.expect(200).json();
    assert_eq!((&user["id"], &user["email"]), (&id.as_str().into(), &NEW.into()));
    assert_eq!(app.database().count(updated).await, 2);
}

async fn address_is_asked_for_after_second_factor(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let eve = unverified(&app, ADA, "eve").await;
    let (phone, codes) = eve.turn_on_two_factor(&app).await;
    sign_up_and_answer(&app, ADA, "anew").await;
    let app = app.restart_with(&[("SVC_EMAIL_VERIFICATION", "required")]).await;
    let browser = app.anonymous();
    assert!(log_in(&browser).await.starts_with("/auth/login/second-factor"));
    // The password alone does not open the page: its mails would let the reader reset the password.
    browser.get(ADDRESS).await.expect(303);
    browser.post_form(ADDRESS, &[("email", NEW)]).await.expect(303);
    assert!(app.mails_to(NEW).await.is_empty());
    browser.send_code(&phone.wrong_code(&app)).await.expect(401);
    let next = browser.send_recovery_code(&codes[0]).await.expect(303);
    assert_eq!(next.location(), ADDRESS);
    browser.api_user().await.expect(401);
    // The recovery code is used up.
    let thief = app.anonymous();
    log_in(&thief).await;
    thief.send_recovery_code(&codes[0]).await.expect(401);
    browser.post_form(ADDRESS, &[("email", NEW)]).await.expect(303);
    browser.post_form(&link_of(&app.mail_to(NEW, "Verify your").await), &[]).await.expect(303);
    // Verification opens no session, and the login asks for the second factor again.
    browser.api_user().await.expect(401);
    assert!(log_in(&browser).await.starts_with("/auth/login/second-factor"));
    browser.send_code(&phone.next_code(&app)).await.expect(303);
    browser.api_user().await.expect(200);
}

async fn address_page_needs_its_own_pending_login(engine: Engine) {
    let (app, _) = with_mode(engine, "required").await;
    let eve = app.anonymous();
    log_in(&eve).await;
    // Its token is not one for the second factor, and a forged or expired one is nothing.
    assert!(eve.get("/auth/login/second-factor").await.expect(303).location().starts_with("/auth/login"));
    let late = eve.copy();
    eve.form(ADDRESS, &[("csrf_token", "forged"), ("email", NEW)]).await.snapshot("login_address/wrong_token");
    let other = app.anonymous();
    other.set_token("login", &"x".repeat(43));
    other.post_form(ADDRESS, &[("email", NEW)]).await.snapshot("login_address/unknown_login");
    app.clock().advance(Duration::from_secs(601));
    assert_eq!(late.post_form(ADDRESS, &[("email", NEW)]).await.expect(303).location(), "/auth/login");
    assert!(app.mails_to(NEW).await.is_empty());
    // A changed password ends it as well.
    log_in(&eve).await;
    run_program(&["user", "set-password", "eve"], app.variables()).await;
    assert_eq!(eve.post_form(ADDRESS, &[("email", NEW)]).await.expect(303).location(), "/auth/login");
}

async fn taken_address_is_told_to_its_owner_alone(engine: Engine) {
    let (app, _) = with_mode(engine, "required").await;
    let eve = app.anonymous();
    log_in(&eve).await;
    assert_eq!(eve.post_form(ADDRESS, &[("email", ADA)]).await.expect(303).location(), VERIFY);
    assert!(eve.get(VERIFY).await.expect(200).text().contains(ADA));
    let notice = app.mail_to(ADA, "You already have an account").await;
    assert_eq!(link_of(&notice), "/auth/login");
    // Taken since.
    log_in(&eve).await;
    eve.post_form(ADDRESS, &[("email", NEW)]).await.expect(303);
    let link = link_of(&app.mail_to(NEW, "Verify your").await);
    app.database()
        .execute(&format!("UPDATE users SET email = '{NEW}', email_key = '{NEW}' WHERE username = 'ada'"))
        .await;
    eve.post_form(&link, &[]).await.snapshot("verify/address_taken_meanwhile");
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE email_key LIKE '%unverified.invalid'").await, 1);
}

async fn placeholder_is_no_address(engine: Engine) {
    let (app, eve) = with_mode(engine, "optional").await;
    let placeholder = format!("{}@unverified.invalid", user_id(&eve).await);
    app.anonymous().log_in(&placeholder, PASSWORD).await.expect(401);
    app.anonymous().log_in(&placeholder.to_uppercase(), PASSWORD).await.expect(401);
    let forgot = app.anonymous().post_form("/auth/password/forgot", &[("email", &placeholder)]).await.expect(422);
    assert!(forgot.text().contains("a valid email address"));
    let fields = [("email", "x@UNVERIFIED.invalid"), ("password", PASSWORD)];
    app.anonymous().post_form("/auth/signup", &fields).await.expect(422);
    // Pages say that there is none; the command line shows what is stored.
    let team = create_team(&eve, "Crew").await;
    eve.get(&team).await.snapshot("organizations/member_without_address");
    eve.get("/auth/account/delete").await.snapshot("delete/no_address");
    let shown = run_program(&["user", "show", "eve"], app.variables()).await;
    assert!(String::from_utf8_lossy(&shown.stdout).contains(&placeholder), "{shown:?}");
    // A notice about the account goes nowhere.
    eve.post_form("/auth/account/password", &[("current", PASSWORD), ("password", "another lighthouse in the fog")])
        .await
        .expect(303);
    let to_nowhere = "SELECT count(*) FROM mails WHERE recipient_key LIKE '%unverified.invalid'";
    assert_eq!(app.database().count(to_nowhere).await, 0);
}

/// Only who gave the right password may have an address mailed to.
async fn stranger_uses_up_no_mails_to_an_address(engine: Engine) {
    let app = engine.prepare().await.set("SVC_SIGNUP", "open").start().await;
    let stranger = app.anonymous();
    stranger.get("/auth/login").await.expect(200);
    for _ in 0..9 {
        let fields = [("email", "ada@example.com")];
        let reply = stranger.post_form("/auth/login/address", &fields).await.expect(303);
        assert_eq!(reply.location(), "/auth/login");
    }
    assert_eq!(app.database().count("SELECT count(*) FROM limits").await, 0);
}

/// Else a provider's open session in someone's browser would become the account: its mails let the reader reset the
/// password.
async fn silent_login_enters_no_address_for_an_account_with_more_to_show(engine: Engine) {
    let required = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "required").set("SVC_RATE_LIMIT", "off");
    let stage = Stage::with(required, people(true), ProviderFields::default()).await;
    let database = stage.app.database();
    stage.log_in(&stage.app.anonymous(), "ada").await.expect(303);
    let none = "'01234567-89ab-4def-8123-456789abcdef@unverified.invalid'";
    let remove = format!("UPDATE users SET email = {none}, email_key = {none}, email_verified_at = NULL");
    database.execute(&format!("{remove}, roles = 'admin'")).await;
    let assert_refused = async |words: &str| {
        let thief = stage.app.anonymous();
        assert_eq!(stage.log_in(&thief, "ada").await.expect(303).location(), ADDRESS);
        let page = thief.get(ADDRESS).await.expect(200).text();
        assert!(page.contains(words) && !page.contains("name=\"email\""), "{page}");
        assert_eq!(thief.post_form(ADDRESS, &[("email", NEW)]).await.expect(303).location(), "/auth/login");
        assert!(stage.app.mails_to(NEW).await.is_empty());
    };
    assert_refused("Ask an administrator").await;
    let set = run_program(&["--json", "user", "set-password", "ada"], stage.app.variables()).await;
    let set: serde_json::Value = serde_json::from_slice(&set.stdout).unwrap();
    assert_refused("Log in with your password or a passkey").await;
    // With it, as any other account.
    let ada = stage.app.anonymous();
    ada.log_in("ada", set["password"].as_str().unwrap()).await.expect(303);
    ada.post_form(ADDRESS, &[("email", NEW)]).await.expect(303);
    let code = code_of(&stage.app.mail_to(NEW, "Verify your").await);
    ada.post_form(VERIFY, &[("code", &code)]).await.expect(303);
    assert_eq!(database.texts("SELECT email FROM users").await, [NEW]);
}

async fn mails_end_with_the_login_that_asked_for_them(engine: Engine) {
    let (app, _) = with_mode(engine, "required").await;
    let eve = app.anonymous();
    log_in(&eve).await;
    app.clock().advance(Duration::from_mins(5));
    eve.post_form(ADDRESS, &[("email", NEW)]).await.expect(303);
    let mail = app.mail_to(NEW, "Verify your").await;
    app.clock().advance(Duration::from_mins(5));
    eve.post_form(VERIFY, &[("code", &code_of(&mail))]).await.expect(404);
    eve.post_form(&link_of(&mail), &[("password", PASSWORD)]).await.expect(404);
    eve.post_form(&format!("{VERIFY}/resend"), &[]).await.expect(303);
    assert_eq!(app.mails_to(NEW).await.len(), 1);
    // Another login asks again.
    log_in(&eve).await;
    eve.post_form(ADDRESS, &[("email", NEW)]).await.expect(303);
    let again = app.mails_to(NEW).await.pop().unwrap();
    eve.post_form(VERIFY, &[("code", &code_of(&again))]).await.expect(303);
}
