//! Rate limits: shared by all processes, and without locking out account owners.

use crate::harness::{Client, Engine, Reply, TestApp, advance_tokio_clock, eventually, on_one_thread};
use doorward::background;
use doorward::rate_limit::{RateLimit, RateLimitError};
use std::time::Duration;

both_engines![
    processes_share_login_attempt_counts,
    attempt_counts_survive_restart,
    rate_limit_does_not_link_email_to_username,
    unknown_accounts_are_rate_limited_the_same_way,
    concurrent_attempts_are_all_counted,
    strangers_cannot_lock_out_owner,
    processes_share_sign_up_counts,
    expired_limits_are_removed,
    failed_login_with_new_name_leaves_two_rows,
];
single_run![
    rate_limit_page_says_when_to_retry,
    disabled_rate_limit_writes_nothing,
    sign_ups_and_mails_of_one_site_share_their_limits,
    strangers_cannot_exhaust_owners_mail_limit,
    running_service_removes_what_has_expired,
];

const PASSWORD: &str = "a lighthouse in the fog";
const WRONG: &str = "not the password at all";

async fn fail_logins(client: &Client, login: &str, times: usize) {
    for _ in 0..times {
        client.log_in(login, WRONG).await.expect(401);
    }
}

/// Fails until the next wait is four minutes, and holds the clock there.
async fn exhaust(app: &TestApp, login: &str) {
    app.clock().hold();
    fail_logins(&app.anonymous(), login, 10).await;
    for wait in [15, 30, 60, 120] {
        app.clock().advance(Duration::from_secs(wait));
        fail_logins(&app.anonymous(), login, 1).await;
    }
}

fn retry_after(reply: &Reply) -> u64 {
    reply.header("retry-after").unwrap().parse().unwrap()
}

async fn processes_share_login_attempt_counts(engine: Engine) {
    let app = engine.app().await;
    app.clock().hold();
    app.sign_up("ada@example.com").await;
    let second = app.second_process().await;
    fail_logins(&second.anonymous(), "ada", 10).await;
    app.clock().advance(Duration::from_secs(15));
    for (number, wait) in [30, 60, 120, 240].into_iter().enumerate() {
        fail_logins(&[&app, &second][number % 2].anonymous(), "ada", 1).await;
        let reply = second.anonymous().log_in("ada", PASSWORD).await.expect(429);
        assert_eq!(retry_after(&reply), wait);
        app.clock().advance(Duration::from_secs(wait));
    }
    second.anonymous().log_in("ada", PASSWORD).await.expect(303);
    // A success resets the failures in every process.
    fail_logins(&app.anonymous(), "ada", 10).await;
}

async fn attempt_counts_survive_restart(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    exhaust(&app, "ada").await;
    let app = app.restart().await;
    app.anonymous().log_in("ada", PASSWORD).await.expect(429);
}

async fn rate_limit_does_not_link_email_to_username(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    app.clock().hold();
    app.sign_up("ada@example.com").await;
    let before = app.app.store.statements();
    fail_logins(&app.anonymous(), " ada@EXAMPLE.com ", 1).await;
    let known = app.app.store.statements() - before;
    fail_logins(&app.anonymous(), "nobody@example.com", 1).await;
    assert_eq!(app.app.store.statements() - before, known * 2, "the same work for every name");
    fail_logins(&app.anonymous(), "ada@example.com", 9).await;
    app.anonymous().log_in("ADA@example.com", PASSWORD).await.expect(429);
    // The username has its own count, so the owner can log in with it, which resets the address's count.
    fail_logins(&app.anonymous(), "ada", 9).await;
    let ada = app.anonymous();
    ada.log_in("ada", PASSWORD).await.expect(303);
    fail_logins(&app.anonymous(), "ada@example.com", 9).await;
    fail_logins(&app.anonymous(), "ada", 9).await;
    // Password prompts of a logged-in user count with the address.
    ada.post_form("/auth/account/delete", &[("password", WRONG)]).await.expect(422);
    ada.post_form("/auth/account/delete", &[("password", PASSWORD)]).await.expect(429);
    app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(429);
}

async fn unknown_accounts_are_rate_limited_the_same_way(engine: Engine) {
    let app = engine.app().await;
    exhaust(&app, "nobody@example.com").await;
    let reply = app.anonymous().log_in("Nobody@example.com", PASSWORD).await.expect(429);
    assert_eq!(retry_after(&reply), 240);
    app.anonymous().log_in("somebody@example.com", PASSWORD).await.expect(401);
}

async fn concurrent_attempts_are_all_counted(engine: Engine) {
    let app = engine.app().await;
    app.clock().hold();
    app.sign_up("ada@example.com").await;
    let browser = app.anonymous();
    browser.get("/auth/login").await.expect(200);
    let tries: Vec<_> = (0..40)
        .map(|_| {
            let browser = browser.clone();
            tokio::spawn(async move { browser.log_in("ada", WRONG).await.status })
        })
        .collect();
    let mut passed = 0;
    for attempt in tries {
        match attempt.await.unwrap() {
            401 => passed += 1,
            status => assert_eq!(status, 429),
        }
    }
    assert_eq!(passed, 10);
}

/// Logs in from the given IP address.
async fn log_in_from(client: &Client, address: &str, password: &str) -> Reply {
    let token = client.token("csrf").unwrap();
    let fields = [("email", "ada"), ("password", password), ("csrf_token", token.as_str())];
    client.form("/auth/login", &fields).header("x-forwarded-for", address).await
}

async fn strangers_cannot_lock_out_owner(engine: Engine) {
    let app = engine.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.0/8").start().await;
    app.clock().hold();
    app.sign_up("ada@example.com").await;
    let browser = app.anonymous();
    browser.get("/auth/login").await.expect(200);
    log_in_from(&browser, "192.0.2.1", PASSWORD).await.expect(303);
    let stranger = app.anonymous();
    stranger.get("/auth/login").await.expect(200);
    for number in 0..10 {
        log_in_from(&stranger, &format!("203.0.113.{number}"), WRONG).await.expect(401);
    }
    for (number, wait) in (10..).zip([15, 30, 60, 120]) {
        app.clock().advance(Duration::from_secs(wait));
        log_in_from(&stranger, &format!("203.0.113.{number}"), WRONG).await.expect(401);
    }
    for number in 14..60 {
        log_in_from(&stranger, &format!("203.0.113.{number}"), WRONG).await.expect(429);
    }
    log_in_from(&stranger, "198.51.100.1", PASSWORD).await.expect(429);
    // From a new IP address the owner logs in with the other name, which resets the count of this one.
    let away = app.anonymous();
    away.get("/auth/login").await.expect(200);
    let token = away.token("csrf").unwrap();
    let fields = [("email", "ada@example.com"), ("password", PASSWORD), ("csrf_token", token.as_str())];
    away.form("/auth/login", &fields).header("x-forwarded-for", "198.51.100.2").await.expect(303);
    for number in 0..60 {
        log_in_from(&stranger, &format!("203.0.113.{number}"), WRONG).await;
    }
    // From a known IP address the owner is not limited, in another browser either.
    let phone = app.anonymous();
    phone.get("/auth/login").await.expect(200);
    log_in_from(&phone, "192.0.2.1", PASSWORD).await.expect(303);
}

async fn processes_share_sign_up_counts(engine: Engine) {
    let app = engine.app().await;
    app.clock().hold();
    let second = app.second_process().await;
    let here = RateLimit::SignupFrom("127.0.0.1".parse().unwrap());
    for number in 0..40 {
        let process = if number % 2 == 0 { &app } else { &second };
        assert!(process.app.rate_limiter.check(here).await.is_ok(), "{number}");
    }
    assert!(matches!(app.app.rate_limiter.check(here).await, Err(RateLimitError::Exceeded(_))));
    let reply = second.anonymous().sign_up("ada@example.com").await.snapshot("signup/too_many");
    assert_eq!(retry_after(&reply), 10);
    app.clock().advance(Duration::from_secs(10));
    second.anonymous().sign_up("ada@example.com").await.expect(303);
}

async fn expired_limits_are_removed(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    fail_logins(&app.anonymous(), "nobody", 1).await;
    assert!(app.database().count("SELECT count(*) FROM limits").await > 3);
    app.clock().advance(Duration::from_hours(24 * 91));
    background::clean_up(&app.app).await.unwrap();
    assert_eq!(app.database().count("SELECT count(*) FROM limits").await, 0);
}

async fn running_service_removes_what_has_expired() {
    on_one_thread(async || {
        let app = Engine::Sqlite.app().await;
        fail_logins(&app.anonymous(), "nobody", 1).await;
        app.clock().advance(Duration::from_hours(24 * 91));
        advance_tokio_clock(Duration::from_mins(1)).await;
        let count = async || app.database().count("SELECT count(*) FROM limits").await;
        eventually("all limits are removed", async || (count().await == 0).then_some(())).await;
    })
    .await;
}

async fn rate_limit_page_says_when_to_retry() {
    let app = Engine::Sqlite.app().await;
    exhaust(&app, "nobody").await;
    let page = app.anonymous().log_in("nobody", PASSWORD).await.expect(429).text();
    assert!(page.contains("Too many attempts") && page.contains("Try again in 4 minutes."), "{page}");
}

async fn disabled_rate_limit_writes_nothing() {
    let app = Engine::Sqlite.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    app.sign_up("ada@example.com").await;
    fail_logins(&app.anonymous(), "ada", 30).await;
    app.anonymous().log_in("ada", PASSWORD).await.expect(303);
    assert_eq!(app.database().count("SELECT count(*) FROM limits").await, 0);
}

async fn sign_ups_and_mails_of_one_site_share_their_limits() {
    let app = Engine::Sqlite.app().await;
    let limiter = &app.app.rate_limiter;
    let [here, next, other] = ["2001:db8:7:1::1", "2001:db8:7:2::1", "2001:db8:8::1"].map(|text| text.parse().unwrap());
    for (limit, burst) in [(RateLimit::SignupFrom as fn(_) -> RateLimit<'static>, 40), (RateLimit::MailFrom, 20)] {
        for _ in 0..burst {
            assert!(limiter.check(limit(here)).await.is_ok());
        }
        assert!(limiter.check(limit(next)).await.is_err(), "another /64 of the same /48");
        assert!(limiter.check(limit(other)).await.is_ok());
    }
}

async fn strangers_cannot_exhaust_owners_mail_limit() {
    let app = Engine::Sqlite.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    let stranger = app.anonymous();
    for _ in 0..15 {
        stranger.post_form("/auth/password/forgot", &[("email", "ada@example.com")]).await.expect(303);
    }
    let other = [("email", "ada@example.com"), ("password", PASSWORD)];
    // Her own signup was the first of six.
    for _ in 0..5 {
        app.anonymous().post_form("/auth/signup", &other).await.expect(303);
    }
    app.anonymous().post_form("/auth/signup", &other).await.expect(429);
    app.clock().advance(Duration::from_secs(61));
    ada.post_form("/auth/email/verify/resend", &[]).await.expect(303);
}

/// Whether an account has the name or not: neither the number of rows nor how long they stay may tell.
async fn failed_login_with_new_name_leaves_two_rows(engine: Engine) {
    let app = engine.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.0/8").start().await;
    app.sign_up("ada@example.com").await;
    app.sign_up("bob@example.com").await;
    let stranger = app.anonymous();
    stranger.get("/auth/login").await.expect(200);
    let token = stranger.token("csrf").unwrap();
    let fail = async |name: &str| {
        let fields = [("email", name), ("password", WRONG), ("csrf_token", token.as_str())];
        stranger.form("/auth/login", &fields).header("x-forwarded-for", "203.0.113.1").await.expect(401);
    };
    // The network has rows of its own from its first attempt on.
    fail("bob").await;
    let after = app.clock().now().as_seconds() + 2 * 24 * 3600;
    let is_later = match engine {
        Engine::Sqlite => format!("expires_at > {after} * 1000000"),
        Engine::Postgres => format!("expires_at > to_timestamp({after})"),
    };
    let count = async |which: &str| app.database().count(&format!("SELECT count(*) FROM limits WHERE {which}")).await;
    let rows = async || (count(&format!("NOT ({is_later})")).await, count(&is_later).await);
    for name in ["ada", "nobody", "ada@example.com", "nobody@example.com"] {
        let (soon, later) = rows().await;
        for _ in 0..2 {
            fail(name).await;
            assert_eq!(rows().await, (soon + 1, later + 1), "{name}");
        }
    }
}
