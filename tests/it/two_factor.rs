//! Two-factor login by codes of an authenticator app (TOTP, RFC 6238).

use crate::audit::log_of;
use crate::harness::{Client, Engine, PASSWORD, TestApp, eventually};
use doorward::domain::account::operator::{self, SetPassword};
use doorward::domain::change;
use doorward::model::principal::Principal;
use std::time::Duration;

both_engines![one_of_two_logins_with_same_code_succeeds,];
one_engine![
    login_requires_second_factor_after_password,
    code_works_once,
    used_code_is_not_called_wrong_and_costs_nothing,
    code_in_digits_of_another_script_is_right,
    code_of_previous_time_step_works,
    pending_login_is_bound_to_its_browser_and_expires,
    pending_login_is_found_behind_foreign_cookies,
    five_wrong_codes_end_pending_login,
    code_guessing_is_rate_limited,
    hundred_wrong_codes_require_recovery_code,
    setup_takes_effect_with_first_code,
    turning_off_requires_password,
    disabled_account_is_revealed_after_both_factors,
    password_change_ends_pending_login,
    two_factor_login_returns_to_invitation,
];
single_run![forms_with_invalid_csrf_token_change_nothing];

const PAGE: &str = "/auth/account/two-factor";

/// A new browser after the right password, before the second factor.
async fn pending_login(app: &TestApp, email: &str) -> Client {
    let browser = app.anonymous();
    let reply = browser.log_in(email, PASSWORD).await.expect(303);
    assert_eq!(reply.location(), "/auth/login/second-factor");
    browser
}

async fn login_requires_second_factor_after_password(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    app.database().execute("UPDATE users SET email_verified_at = created_at").await;
    let (phone, codes) = ada.turn_on_two_factor(&app).await;
    assert_eq!(codes.len(), 10);
    assert_eq!(app.database().count("SELECT count(*) FROM outbox WHERE channel = 'notice'").await, 1);
    let browser = app.anonymous();
    let fields = [("email", "ada"), ("password", PASSWORD), ("return_to", "/app?a=b")];
    let reply = browser.post_form("/auth/login", &fields).await.snapshot("login/second_factor_required");
    browser.get(reply.location()).await.snapshot("second_factor/shown");
    let wrong = phone.wrong_code(&app);
    let fields = [("code", wrong.as_str()), ("return_to", "/app?a=b")];
    browser.post_form("/auth/login/second-factor", &fields).await.snapshot("second_factor/wrong_code");
    browser.api_user().await.expect(401);
    let before = browser.token("csrf");
    let code = phone.next_code(&app);
    let typed = format!(" {} {} ", &code[..3], &code[3..]);
    let fields = [("code", typed.as_str()), ("return_to", "/app?a=b")];
    browser.post_form("/auth/login/second-factor", &fields).await.snapshot("second_factor/done");
    browser.api_user().await.expect(200);
    assert_ne!(browser.token("csrf"), before, "the CSRF token is replaced at login");
    assert_eq!(app.database().count("SELECT count(*) FROM half_log_ins").await, 0);
}

async fn code_works_once(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    let browser = pending_login(&app, "ada@example.com").await;
    browser.send_code(&phone.code(&app)).await.expect(401);
    let code = phone.next_code(&app);
    browser.send_code(&code).await.expect(303);
    let thief = pending_login(&app, "ada@example.com").await;
    thief.send_code(&code).await.expect(401);
    thief.api_user().await.expect(401);
    thief.send_code(&phone.next_code(&app)).await.expect(303);
}

/// As on a second device within the half minute after the setup.
async fn used_code_is_not_called_wrong_and_costs_nothing(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    let used = phone.code(&app);
    let browser = pending_login(&app, "ada@example.com").await;
    for _ in 0..12 {
        let page = browser.send_code(&used).await.expect(401).text();
        assert!(page.contains("This code was used. Wait for the next one."), "{page}");
    }
    assert_eq!(app.database().count("SELECT failures FROM totp").await, 0);
    browser.send_code(&phone.wrong_code(&app)).await.expect(401);
    browser.send_code(&phone.next_code(&app)).await.expect(303);
    let failed = async || log_of(&app, "ada").await.into_iter().find(|entry| entry.kind == "second_factor_failed");
    assert_eq!(eventually("the wrong code is recorded", failed).await.times, 1, "and nothing else");
    app.clock().advance(Duration::from_mins(5));
    let (confirm, code) = ("/auth/account/confirm/code?max_age=300&mfa=1", phone.next_code(&app));
    pending_login(&app, "ada@example.com").await.send_code(&code).await.expect(303);
    let page = ada.post_form(confirm, &[("code", &code)]).await.expect(422).text();
    assert!(page.contains("This code was used. Wait for the next one."), "{page}");
    assert!(log_of(&app, "ada").await.iter().all(|entry| entry.kind != "confirm_failed"));
}

async fn code_in_digits_of_another_script_is_right(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    for zero in ['\u{660}', '\u{6f0}', '\u{966}', '\u{ff10}'] {
        let digit = |digit: char| char::from_u32(u32::from(zero) + digit.to_digit(10).unwrap()).unwrap();
        let typed: String = phone.next_code(&app).chars().map(digit).collect();
        let browser = pending_login(&app, "ada@example.com").await;
        browser.send_code(&typed).await.expect(303);
        browser.api_user().await.expect(200);
    }
}

async fn one_of_two_logins_with_same_code_succeeds(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    let one = pending_login(&app, "ada@example.com").await;
    let other = pending_login(&app, "ada@example.com").await;
    let code = phone.next_code(&app);
    let (first, second) = tokio::join!(one.send_code(&code), other.send_code(&code));
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 401]);
}

async fn code_of_previous_time_step_works(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    let browser = pending_login(&app, "ada@example.com").await;
    let code = phone.next_code(&app);
    app.clock().advance(Duration::from_mins(1));
    browser.send_code(&code).await.expect(401);
    let code = phone.code(&app);
    app.clock().advance(Duration::from_secs(30));
    browser.send_code(&code).await.expect(303);
}

async fn pending_login_is_bound_to_its_browser_and_expires(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    app.sign_up("bob@example.com").await;
    let browser = pending_login(&app, "ada@example.com").await;
    browser.api_user().await.expect(401);
    assert_eq!(browser.get("/auth/account").await.expect(303).location(), "/auth/login?return_to=%2Fauth%2Faccount");
    browser.get("/auth/login").await.expect(200);
    // A code without the cookie, or with a forged one, is refused.
    let other = app.anonymous();
    other.get("/auth/login/second-factor?return_to=%2Fa").await.snapshot("second_factor/no_pending_login");
    other.get("/auth/login").await;
    other.send_code(&phone.next_code(&app)).await.snapshot("second_factor/no_pending_login_sent");
    other.set_token("login", &"x".repeat(43));
    other.send_code(&phone.next_code(&app)).await.expect(401);
    // Replay: a copy of the cookie is refused after the login.
    let copy = browser.copy();
    browser.send_code(&phone.next_code(&app)).await.expect(303);
    copy.send_code(&phone.next_code(&app)).await.expect(401);
    copy.api_user().await.expect(401);
    // Expired.
    let late = pending_login(&app, "ada@example.com").await;
    app.clock().advance(Duration::from_secs(601));
    late.send_code(&phone.code(&app)).await.snapshot("second_factor/timed_out");
}

/// As a sibling domain sets them.
async fn pending_login_is_found_behind_foreign_cookies(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    let browser = pending_login(&app, "ada@example.com").await;
    let own = browser.token("login").unwrap();
    browser.set_token("login", &format!("{}; svc_login={own}", "x".repeat(43)));
    browser.get("/auth/login/second-factor").await.expect(200);
    browser.send_code(&phone.next_code(&app)).await.expect(303);
    browser.api_user().await.expect(200);
}

async fn five_wrong_codes_end_pending_login(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    let thief = pending_login(&app, "ada@example.com").await;
    let copy = thief.copy();
    for _ in 0..4 {
        thief.send_code(&phone.wrong_code(&app)).await.expect(401);
    }
    thief.send_code("not even digits").await.snapshot("second_factor/too_many_wrong_codes");
    copy.send_code(&phone.next_code(&app)).await.expect(401);
    copy.api_user().await.expect(401);
}

async fn code_guessing_is_rate_limited(engine: Engine) {
    // Guesses are counted in the database, even if a gateway limits requests instead.
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    app.clock().hold();
    let ada = app.sign_up("ada@example.com").await;
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    for _ in 0..2 {
        let thief = pending_login(&app, "ada@example.com").await;
        for _ in 0..5 {
            thief.send_code(&phone.wrong_code(&app)).await.expect(401);
        }
    }
    let thief = pending_login(&app, "ada@example.com").await;
    // During the wait the right code is refused too, so that guessing gains nothing; it is not used up.
    let right = phone.next_code(&app);
    app.database().execute("UPDATE totp SET failures = 11").await;
    let reply = thief.send_code(&right).await.snapshot("second_factor/wait");
    let wait: u64 = reply.header("retry-after").unwrap().parse().unwrap();
    assert_eq!(wait, 30);
    app.clock().advance(Duration::from_secs(wait));
    thief.send_code(&right).await.expect(303);
    assert_eq!(app.database().count("SELECT failures FROM totp").await, 0);
}

async fn hundred_wrong_codes_require_recovery_code(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (phone, codes) = ada.turn_on_two_factor(&app).await;
    app.database().execute("UPDATE totp SET failures = 99").await;
    app.clock().advance(Duration::from_hours(2));
    let browser = pending_login(&app, "ada@example.com").await;
    browser.send_code(&phone.wrong_code(&app)).await.expect(401);
    app.clock().advance(Duration::from_hours(24));
    let browser = pending_login(&app, "ada@example.com").await;
    browser.send_code(&phone.next_code(&app)).await.snapshot("second_factor/recovery_code_needed");
    browser.send_recovery_code(&codes[0]).await.expect(303);
    let browser = pending_login(&app, "ada@example.com").await;
    browser.send_code(&phone.next_code(&app)).await.expect(303);
}

async fn setup_takes_effect_with_first_code(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.get(PAGE).await.snapshot("two_factor/off");
    app.clock().advance(Duration::from_mins(16));
    ada.post_form(PAGE, &[]).await.snapshot("two_factor/confirm_needed");
    assert_eq!(app.database().count("SELECT count(*) FROM totp").await, 0);
    ada.post_confirmed(PAGE, &[]).await.snapshot("two_factor/begun");
    let page = ada.get(PAGE).await.snapshot("two_factor/setting_up").text();
    let phone = crate::harness::Authenticator::from_page(&page);
    // Login does not require it yet.
    app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(303).cookie("svc_access").unwrap();
    let fields = [("code", phone.wrong_code(&app)), ("end_others", "yes".to_owned())];
    let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
    ada.post_form(&format!("{PAGE}/confirm"), &fields).await.snapshot("two_factor/wrong_code");
    // An unattended session neither shows the key nor completes the setup without reauthentication.
    app.clock().advance(Duration::from_mins(16));
    assert!(ada.get(PAGE).await.expect(200).text().contains("Takes a minute."));
    let later = ada.post_form(&format!("{PAGE}/confirm"), &[("code", &phone.code(&app))]).await;
    later.snapshot("two_factor/first_code_confirm_needed");
    // An unconfirmed setup expires.
    app.clock().advance(Duration::from_secs(3601));
    ada.post_form("/auth/account/confirm", &[("password", PASSWORD)]).await.expect(303);
    assert!(ada.get(PAGE).await.expect(200).text().contains("Takes a minute."));
    let late = ada.post_form(&format!("{PAGE}/confirm"), &[("code", &phone.code(&app))]).await;
    late.snapshot("two_factor/setup_expired");
    let elsewhere = app.anonymous();
    elsewhere.log_in("ada@example.com", PASSWORD).await.expect(303);
    ada.post_confirmed(PAGE, &[]).await.expect(303);
    let phone = crate::harness::Authenticator::from_page(&ada.get(PAGE).await.text());
    let code = phone.code(&app);
    ada.post_form(&format!("{PAGE}/confirm"), &[("code", &code), ("end_others", "yes")])
        .await
        .snapshot("two_factor/turned_on");
    elsewhere.api_user().await.expect(401);
    ada.api_user().await.expect(200);
    // There is only one app.
    ada.post_confirmed(PAGE, &[]).await.expect(303);
    ada.get(PAGE).await.snapshot("two_factor/on");
    pending_login(&app, "ada@example.com").await.send_code(&phone.next_code(&app)).await.expect(303);
}

async fn turning_off_requires_password(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let remove = format!("{PAGE}/remove");
    ada.get(&remove).await.snapshot("two_factor/nothing_to_remove");
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    let elsewhere = pending_login(&app, "ada@example.com").await;
    elsewhere.send_code(&phone.next_code(&app)).await.expect(303);
    ada.get(&remove).await.snapshot("two_factor/remove_shown");
    ada.post_form(&remove, &[("password", "not the password")]).await.snapshot("two_factor/remove_wrong_password");
    pending_login(&app, "ada@example.com").await;
    ada.post_form(&remove, &[("password", PASSWORD)]).await.snapshot("two_factor/removed");
    elsewhere.api_user().await.expect(200);
    for table in ["totp", "recovery_codes", "half_log_ins", "remembered_devices"] {
        assert_eq!(app.database().count(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
    app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(303).cookie("svc_access").unwrap();
    ada.turn_on_two_factor(&app).await;
    ada.post_form(&remove, &[("password", PASSWORD), ("end_others", "yes")]).await.expect(303);
    elsewhere.api_user().await.expect(401);
    ada.api_user().await.expect(200);
}

async fn disabled_account_is_revealed_after_both_factors(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    let browser = pending_login(&app, "ada@example.com").await;
    let user = operator::find(&app.app.store, &Principal::operator(), "ada").await.unwrap();
    crate::operators::set_disabled(&app.app, user.id, true).await.unwrap();
    browser.send_code(&phone.wrong_code(&app)).await.expect(401);
    browser.send_code(&phone.next_code(&app)).await.snapshot("second_factor/account_disabled");
    browser.api_user().await.expect(401);
    app.anonymous().log_in("ada", PASSWORD).await.expect(403);
}

async fn password_change_ends_pending_login(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    let thief = pending_login(&app, "ada@example.com").await;
    let user = operator::find(&app.app.store, &Principal::operator(), "ada").await.unwrap();
    // The same password counts as a change: its hash differs.
    let change = SetPassword::prepare(&app.app, &Principal::operator(), &user, PASSWORD.into()).await.unwrap();
    change::run(&app.app, &Principal::operator(), change).await.unwrap();
    thief.send_code(&phone.next_code(&app)).await.expect(401);
    thief.api_user().await.expect(401);
}

async fn two_factor_login_returns_to_invitation(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    let grace = app.sign_up("grace@example.com").await;
    let team = grace.post_form("/auth/organizations", &[("name", "Crew")]).await.expect(303).location().to_owned();
    let fields = [("email", "ada@example.com"), ("role", "member")];
    let page = grace.post_form(&format!("{team}/invitations"), &fields).await.expect(200).text();
    let link = page.split("/auth/invitations/").nth(1).unwrap().split('"').next().unwrap();
    let path = format!("/auth/invitations/{link}");
    let browser = app.anonymous();
    let offered = browser.get(&path).await.expect(200).text();
    assert!(offered.contains("/auth/login?return_to="), "{offered}");
    let fields = [("email", "ada@example.com"), ("password", PASSWORD), ("return_to", path.as_str())];
    let second_factor = browser.post_form("/auth/login", &fields).await.expect(303).location().to_owned();
    browser.post_form(&format!("{path}/accept"), &[]).await.expect(303);
    assert_eq!(app.database().count("SELECT count(*) FROM memberships").await, 3, "a pending login accepts nothing");
    browser.get(&second_factor).await.expect(200);
    let fields = [("code", phone.next_code(&app)), ("return_to", path.clone())];
    let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
    let reply = browser.post_form("/auth/login/second-factor", &fields).await.expect(303);
    assert_eq!(reply.location(), path);
    browser.post_form(&format!("{path}/accept"), &[]).await.expect(303);
    assert_eq!(app.database().count("SELECT count(*) FROM memberships").await, 4);
}

async fn forms_with_invalid_csrf_token_change_nothing() {
    let app = Engine::Sqlite.app().await;
    let ada = app.sign_up("ada@example.com").await;
    for path in [PAGE.to_owned(), format!("{PAGE}/confirm"), format!("{PAGE}/forget-devices")] {
        ada.form(&path, &[("password", PASSWORD)]).await.expect(403);
    }
    assert_eq!(app.database().count("SELECT count(*) FROM totp").await, 0);
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    for path in [format!("{PAGE}/remove"), "/auth/account/recovery-codes".to_owned()] {
        ada.form(&path, &[("password", PASSWORD)]).await.expect(403);
    }
    let browser = pending_login(&app, "ada@example.com").await;
    for _ in 0..6 {
        let forged = browser.form("/auth/login/second-factor", &[("code", "000000")]);
        forged.await.snapshot("second_factor/wrong_token");
    }
    browser.send_code(&phone.next_code(&app)).await.expect(303);
}
