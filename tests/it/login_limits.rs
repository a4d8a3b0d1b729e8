//! Logins that succeed have a limit too: each costs a password hash, a session and an entry in the audit log.

use crate::harness::{Client, Engine, PASSWORD, Reply, TestApp};
use crate::passkeys::{Person, service};
use doorward::domain::account::operator;
use doorward::model::principal::Principal;
use doorward::rate_limit::RateLimit;
use std::net::IpAddr;
use std::time::Duration;

one_engine![
    successful_logins_of_one_account_are_limited,
    right_passwords_at_prompts_count_as_logins,
    honest_login_is_served_while_one_account_floods,
    thief_of_a_password_does_not_keep_its_owner_out,
];
browser![passkey_logins_count_for_the_same_limit];

/// Logs in until it is refused; returns how often it succeeded, and the answer.
async fn log_in_until_refused(app: &TestApp, login: &str) -> (usize, Reply) {
    for succeeded in 0..60 {
        let reply = app.anonymous().log_in(login, PASSWORD).await;
        if reply.status != 303 {
            return (succeeded, reply);
        }
    }
    panic!("never refused");
}

async fn successful_logins_of_one_account_are_limited(engine: Engine) {
    let app = engine.app().await;
    app.clock().hold();
    app.sign_up("ada@example.com").await;
    app.sign_up("bob@example.com").await;
    let (succeeded, reply) = log_in_until_refused(&app, "ada").await;
    assert_eq!(succeeded, 20);
    assert_eq!(reply.expect(429).header("retry-after"), Some("10"));
    let verified = app.app.passwords.verifications();
    app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(429);
    assert_eq!(app.app.passwords.verifications(), verified, "refused before the password is hashed");
    app.anonymous().log_in("bob", PASSWORD).await.expect(303);
    app.clock().advance(Duration::from_secs(10));
    app.anonymous().log_in("ada", PASSWORD).await.expect(303);
    let second = app.second_process().await;
    second.anonymous().log_in("ada", PASSWORD).await.expect(429);
}

async fn right_passwords_at_prompts_count_as_logins(engine: Engine) {
    let app = engine.app().await;
    app.clock().hold();
    let ada = app.sign_up("ada@example.com").await;
    let confirm = async || ada.post_form("/auth/account/confirm", &[("password", PASSWORD)]).await.status;
    let mut succeeded = 0;
    while succeeded < 60 && confirm().await == 303 {
        succeeded += 1;
    }
    assert_eq!(succeeded, 20);
    app.anonymous().log_in("ada", PASSWORD).await.expect(429);
}

/// Logs in from an address, as a trusted proxy passes it on.
async fn log_in_from(client: Client, login: &'static str, from: String) -> u16 {
    let token = client.token("csrf").unwrap();
    let fields = [("email", login), ("password", PASSWORD), ("csrf_token", token.as_str())];
    client.copy().form("/auth/login", &fields).header("x-forwarded-for", &from).await.status
}

async fn honest_login_is_served_while_one_account_floods(engine: Engine) {
    let app = engine.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.0/8").start().await;
    // No permit comes back while the flood runs.
    app.clock().hold();
    app.sign_up("ada@example.com").await;
    app.sign_up("mallory@example.com").await;
    let browser = app.anonymous();
    browser.get("/auth/login").await.expect(200);
    // From nine addresses that are known to the account, so that they are not held up as strangers.
    for network in 0..9 {
        assert_eq!(log_in_from(browser.clone(), "mallory", format!("203.0.113.{network}")).await, 303);
    }
    let flood = || -> Vec<_> {
        let call = |number: usize| log_in_from(browser.clone(), "mallory", format!("203.0.113.{}", number % 9));
        (0..360).map(|number| tokio::spawn(call(number))).collect()
    };
    // Its share of the queue may be full.
    for call in flood() {
        let status = call.await.unwrap();
        assert!([303, 429, 503].contains(&status), "{status}");
    }
    let mallory = operator::find(&app.app.store, &Principal::operator(), "mallory").await.unwrap().id;
    for network in 0..9 {
        let left = RateLimit::LoginsTo(mallory, IpAddr::from([203, 0, 113, network]));
        while app.app.rate_limiter.check(left).await.is_ok() {}
    }
    let verified = app.app.passwords.verifications();
    let flood = flood();
    assert_eq!(log_in_from(browser.clone(), "ada", "198.51.100.1".to_owned()).await, 303);
    for call in flood {
        assert_eq!(call.await.unwrap(), 429);
    }
    assert_eq!(app.app.passwords.verifications(), verified + 1, "the honest one, and no refused one");
}

async fn thief_of_a_password_does_not_keep_its_owner_out(engine: Engine) {
    let app = engine.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.0/8").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let browser = app.anonymous();
    browser.get("/auth/login").await.expect(200);
    assert_eq!(log_in_from(browser.clone(), "ada", "192.0.2.1".to_owned()).await, 303);
    let mut refused = 0;
    for network in 0..40 {
        refused += usize::from(log_in_from(browser.clone(), "ada", format!("203.0.113.{network}")).await == 429);
    }
    assert!(refused > 0, "all networks that the account does not know share a limit");
    // From where she logged in before, and in her session from anywhere, also to end what the thief does.
    assert_eq!(log_in_from(browser.clone(), "ada", "192.0.2.1".to_owned()).await, 303);
    ada.form("/auth/account/confirm", &[("password", PASSWORD), ("csrf_token", &ada.token("csrf").unwrap())])
        .header("x-forwarded-for", "198.51.100.7")
        .await
        .expect(303);
}

async fn passkey_logins_count_for_the_same_limit() {
    let (app, url) = service().await;
    let ada = Person::sign_up(&url).await;
    ada.add_passkey("Laptop").await;
    let user = operator::find(&app.app.store, &Principal::operator(), "ada").await.unwrap().id;
    ada.log_out().await;
    ada.open_login_page_without_autofill().await;
    while app.app.rate_limiter.check(RateLimit::LoginsTo(user, IpAddr::from([127, 0, 0, 1]))).await.is_ok() {}
    ada.browser.press("Log in with a passkey").await;
    ada.browser.wait_for_text("Too many attempts").await;
}
