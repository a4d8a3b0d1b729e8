//! Guesses of mailed codes: what is counted belongs to the address, and nothing starts it again.

use crate::harness::{Authenticator, Client, Engine, PASSWORD, Process, Reply, TestApp, code_of, link_of, wrong_code};
use doorward::background;
use doorward::clock::Clock;
use std::time::Duration;

both_engines![
    wrong_codes_for_address_outlive_accounts_and_changes,
    concurrent_wrong_codes_are_all_counted,
    counts_of_wrong_codes_are_removed_after_30_days,
    wrong_codes_stay_counted_after_sigkill,
];
one_engine![wrong_codes_count_with_rate_limits_off, wrong_codes_from_one_site_are_limited,];

const VICTIM: &str = "victim@corp.example";
const OVER: &str = "no longer works";
const VERIFIED: &str = "SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL";
const VERIFY: &str = "/auth/email/verify";
const CONFIRM_CHANGE: &str = "/auth/account/email/confirm";

/// Submits a form from an address, as a trusted proxy passes it on.
async fn post(client: &Client, from: &str, path: &str, fields: &[(&str, &str)]) -> Reply {
    if client.token("csrf").is_none() {
        client.get("/auth/login").await.expect(200);
    }
    let token = client.token("csrf").unwrap();
    client.form(path, &[fields, &[("csrf_token", &token)]].concat()).header("x-forwarded-for", from).await
}

/// An address in another subnet of one /48 for each number.
fn subnet(number: usize) -> String {
    format!("2001:db8:7:{number:x}::1")
}

async fn app(engine: Engine, rate_limit: &str) -> TestApp {
    let builder = engine.prepare().await.with_email_verification().set("SVC_TRUSTED_PROXIES", "127.0.0.0/8");
    builder.set("SVC_RATE_LIMIT", rate_limit).start().await
}

async fn sign_up(app: &TestApp, from: &str, email: &str) -> Client {
    let client = app.anonymous();
    post(&client, from, "/auth/signup", &[("email", email), ("password", PASSWORD)]).await.expect(303);
    client
}

/// Types five wrong codes of the newest mail; returns the number of them that were judged.
async fn guess(app: &TestApp, client: &Client, from: &str, path: &str) -> usize {
    let wrong = wrong_code(&code_of(&app.mail_to(VICTIM, "Verify your").await));
    let mut judged = 0;
    for _ in 0..5 {
        judged += usize::from(!post(client, from, path, &[("code", &wrong)]).await.expect(422).text().contains(OVER));
    }
    judged
}

/// Signs up as the victim and deletes the account again; returns the number of wrong codes that were judged.
async fn guess_with_account(app: &TestApp, number: usize) -> usize {
    let thief = sign_up(app, &subnet(number), VICTIM).await;
    let judged = guess(app, &thief, &subnet(number), VERIFY).await;
    post(&thief, &subnet(number), "/auth/account/delete", &[("password", PASSWORD)]).await.expect(200);
    app.clock().advance(Duration::from_mins(10));
    judged
}

/// Begins a change to the victim's address; returns the number of wrong codes that were judged.
async fn guess_with_change(app: &TestApp, eve: &Client, number: usize) -> usize {
    begin_change(eve, number).await;
    let judged = guess(app, eve, &subnet(number), CONFIRM_CHANGE).await;
    post(eve, &subnet(number), "/auth/account/email/cancel", &[]).await.expect(303);
    app.clock().advance(Duration::from_mins(10));
    judged
}

async fn begin_change(eve: &Client, number: usize) {
    let login = [("email", "eve"), ("password", PASSWORD)];
    post(eve, &subnet(number), "/auth/login", &login).await.expect(303);
    post(eve, &subnet(number), "/auth/account/email", &[("email", VICTIM)]).await.expect(303);
}

/// Fails if the right code for the victim's address is accepted, for an account or for a change.
async fn right_code_is_refused(app: &TestApp, eve: &Client, number: usize) {
    begin_change(eve, number).await;
    let right = code_of(&app.mail_to(VICTIM, "Verify your").await);
    assert!(post(eve, &subnet(number), CONFIRM_CHANGE, &[("code", &right)]).await.expect(422).text().contains(OVER));
    post(eve, &subnet(number), "/auth/account/email/cancel", &[]).await.expect(303);
    app.clock().advance(Duration::from_mins(10));
    let thief = sign_up(app, &subnet(number + 1), VICTIM).await;
    let right = code_of(&app.mail_to(VICTIM, "Verify your").await);
    // From elsewhere too.
    for from in [&subnet(number + 1), "192.0.2.1"] {
        assert!(post(&thief, from, VERIFY, &[("code", &right)]).await.expect(422).text().contains(OVER));
    }
    assert_eq!(app.database().count(VERIFIED).await, 0);
    post(&thief, &subnet(number + 1), "/auth/account/delete", &[("password", PASSWORD)]).await.expect(200);
    app.clock().advance(Duration::from_mins(10));
}

/// Guesses for two days, as often as it is possible: fifty codes a day are judged, a hundred in all.
async fn guess_for_two_days(app: &TestApp) -> Client {
    let eve = sign_up(app, &subnet(0), "eve@example.com").await;
    for day in 0..2 {
        let mut judged = 0;
        for number in 1..=6 {
            judged += guess_with_account(app, number).await;
            judged += guess_with_change(app, &eve, 100 + number).await;
        }
        assert_eq!(judged, 50, "on day {day}");
        right_code_is_refused(app, &eve, 200 + day).await;
        app.clock().advance(Duration::from_hours(24));
    }
    eve
}

async fn wrong_codes_for_address_outlive_accounts_and_changes(engine: Engine) {
    let app = app(engine, "on").await;
    let eve = guess_for_two_days(&app).await;
    app.clock().advance(Duration::from_hours(24 * 7));
    background::clean_up(&app.app).await.unwrap();
    right_code_is_refused(&app, &eve.at(&app.url()), 300).await;
    // The owner verifies the address with the link.
    let owner = sign_up(&app, "192.0.2.1", VICTIM).await;
    owner.post_form(&link_of(&app.mail_to(VICTIM, "Verify your").await), &[]).await.expect(303);
    assert_eq!(app.database().count(VERIFIED).await, 1);
}

async fn wrong_codes_count_with_rate_limits_off(engine: Engine) {
    let app = app(engine, "off").await;
    guess_for_two_days(&app).await;
    assert_eq!(app.database().count("SELECT count(*) FROM limits").await, 0);
}

async fn concurrent_wrong_codes_are_all_counted(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.post_form(VERIFY, &[("code", "")]).await.expect(422);
    app.database().execute("UPDATE code_failures SET recent = 48").await;
    let right = code_of(&app.mail_to("ada@example.com", "Verify your").await);
    let wrong = wrong_code(&right);
    let tries: Vec<_> = (0..4)
        .map(|_| {
            let (ada, wrong) = (ada.clone(), wrong.clone());
            tokio::spawn(async move { ada.post_form(VERIFY, &[("code", &wrong)]).await.expect(422).text() })
        })
        .collect();
    let mut judged = 0;
    for attempt in tries {
        judged += usize::from(!attempt.await.unwrap().contains(OVER));
    }
    assert_eq!(judged, 2);
    assert!(ada.post_form(VERIFY, &[("code", &right)]).await.expect(422).text().contains(OVER));
}

async fn wrong_codes_from_one_site_are_limited(engine: Engine) {
    let app = app(engine, "off").await;
    let eve = sign_up(&app, &subnet(1), "eve@example.com").await;
    post(&eve, &subnet(1), VERIFY, &[("code", "")]).await.expect(422);
    app.database().execute("UPDATE code_failures SET recent = 999").await;
    for (email, from, judged) in [("bob@example.com", subnet(2), true), ("ann@example.com", subnet(3), false)] {
        let guest = sign_up(&app, &from, email).await;
        let page = post(&guest, &from, VERIFY, &[("code", "")]).await.expect(422).text();
        assert_eq!(!page.contains(OVER), judged, "{from}: {page}");
    }
    let ada = sign_up(&app, &subnet(4), "ada@example.com").await;
    let right = code_of(&app.mail_to("ada@example.com", "Verify your").await);
    post(&ada, &subnet(4), VERIFY, &[("code", &right)]).await.expect(422);
    post(&ada, "2001:db8:8::1", VERIFY, &[("code", &right)]).await.expect(303);
    // A day after its first wrong code the site may try again.
    app.clock().advance(Duration::from_hours(24));
    let cyd = sign_up(&app, &subnet(5), "cyd@example.com").await;
    let right = code_of(&app.mail_to("cyd@example.com", "Verify your").await);
    post(&cyd, &subnet(5), VERIFY, &[("code", &right)]).await.expect(303);
}

async fn counts_of_wrong_codes_are_removed_after_30_days(engine: Engine) {
    const COUNTS: &str = "SELECT count(*) FROM code_failures";
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.post_form(VERIFY, &[("code", "")]).await.expect(422);
    app.clock().advance(Duration::from_hours(24 * 30 - 1));
    background::clean_up(&app.app).await.unwrap();
    assert_eq!(app.database().count("SELECT count(*) FROM account_tokens").await, 0);
    assert_eq!(app.database().count(COUNTS).await, 2, "of the address and of the site");
    app.clock().advance(Duration::from_hours(2));
    background::clean_up(&app.app).await.unwrap();
    assert_eq!(app.database().count(COUNTS).await, 0);
}

/// The answer refuses, but what it counted is committed before it leaves.
async fn wrong_codes_stay_counted_after_sigkill(engine: Engine) {
    let builder = engine.prepare().await.with_email_verification();
    let process = Process::start(builder.variables()).await;
    let ada = builder.anonymous();
    ada.sign_up("ada@example.com").await.expect(303);
    ada.post_form("/auth/account/two-factor", &[]).await.expect(303);
    let phone = Authenticator::from_page(&ada.get("/auth/account/two-factor").await.expect(200).text());
    let code = phone.code_at(Clock::system().now());
    ada.post_form("/auth/account/two-factor/confirm", &[("code", &code)]).await.expect(200);
    ada.post_form("/auth/account/email", &[("email", "countess@example.com")]).await.expect(303);
    let (guest, browser) = (builder.anonymous(), builder.anonymous());
    guest.sign_up("ada@example.com").await.expect(303);
    browser.log_in("ada", PASSWORD).await.expect(303);
    // Of an account, of a change, of a signup, and the second factor.
    ada.post_form(VERIFY, &[("code", "")]).await.expect(422);
    ada.post_form(CONFIRM_CHANGE, &[("code", "")]).await.expect(422);
    guest.post_form(VERIFY, &[("code", "")]).await.expect(422);
    browser.send_code("").await.expect(401);
    process.kill();
    let database = builder.database();
    assert_eq!(database.count("SELECT count(*) FROM account_tokens WHERE wrong_codes = 1").await, 3);
    assert_eq!(database.count("SELECT max(total) FROM code_failures").await, 3, "from the site");
    assert_eq!(database.count("SELECT failures FROM totp").await, 1);
    assert_eq!(database.count("SELECT tries FROM half_log_ins").await, 1);
}
