//! Pages of login and signup mark the way that the browser logged in with last, by the cookie `svc_last`
//! (docs/reference/browser.md 3).

use crate::harness::{Client, Engine, PASSWORD, Passkey};
use crate::passkeys::service_from;
use crate::provider_logins::Stage;
use doorward::domain::change;
use doorward::domain::provider::manage;
use doorward::model::principal::Principal;
use doorward::model::provider::ProviderName;
use std::time::Duration;

one_engine![
    way_used_last_is_marked_on_login_and_signup,
    provider_is_marked_while_it_is_offered,
    passkey_is_marked,
    confirmation_sets_cookie,
    cookie_keeps_five_accounts_and_tells_nothing,
    cookie_of_another_browser_hides_no_account,
    unreadable_cookie_marks_nothing,
];

const WORDS: &str = "You used this last time";

/// The texts of the buttons and links that the page marks.
async fn marked(client: &Client, path: &str) -> Vec<String> {
    let page = client.get(path).await.expect(200).text();
    let marked: Vec<String> = page
        .split(" data-last-used")
        .skip(1)
        .map(|rest| rest.split_once('>').unwrap().1)
        .map(|content| content.split("</button>").next().unwrap().split("</a>").next().unwrap())
        .map(|content| content.rsplit("<span>").next().unwrap().replace("</span>", ""))
        .collect();
    assert_eq!(page.matches(WORDS).count(), marked.len(), "{page}");
    marked
}

async fn way_used_last_is_marked_on_login_and_signup(engine: Engine) {
    let app = engine.app().await;
    let ada = app.anonymous();
    assert!(marked(&ada, "/auth/login").await.is_empty() && marked(&ada, "/auth/signup").await.is_empty());
    let made = ada.sign_up("ada@example.com").await.expect(303);
    let cookie = made.cookie("svc_last").unwrap();
    let attributes = ["path", "samesite", "max-age", "httponly", "domain", "secure"];
    let expected = [Some("/auth"), Some("Lax"), Some("7776000"), Some(""), None, None];
    assert_eq!(attributes.map(|name| cookie.attribute(name)), expected);
    assert!(ada.log_out().await.expect(204).cookie("svc_last").is_none(), "a logout leaves it");
    assert_eq!(marked(&ada, "/auth/login").await, ["Log in"]);
    assert_eq!(marked(&ada, "/auth/signup").await, ["Create account"]);
    assert!(ada.log_in("ada@example.com", "wrong").await.expect(401).cookie("svc_last").is_none());
    let german = ada.get("/auth/login").header("accept-language", "de").await.expect(200).text();
    assert!(german.contains("Das haben Sie zuletzt verwendet"), "{german}");
    assert!(ada.log_in("ada@example.com", PASSWORD).await.expect(303).cookie("svc_last").is_some());
}

async fn provider_is_marked_while_it_is_offered(engine: Engine) {
    let stage = Stage::new(engine, true).await;
    let ada = stage.app.anonymous();
    stage.log_in(&ada, "ada").await.expect(303);
    ada.log_out().await.expect(204);
    for path in ["/auth/login", "/auth/signup"] {
        assert_eq!(marked(&ada, path).await, ["Continue with Dev"], "{path}");
    }
    let name = ProviderName::parse("dev").unwrap();
    change::run(&stage.app.app, &Principal::operator(), manage::Remove { name: &name }).await.unwrap();
    assert!(marked(&ada, "/auth/login").await.is_empty());
}

async fn passkey_is_marked(engine: Engine) {
    let (app, url) = service_from(engine.prepare().await).await;
    let ada = app.sign_up("ada@example.com").await;
    let mut passkey = Passkey::add(&ada, &url, "Phone").await;
    ada.log_out().await.expect(204);
    assert_eq!(marked(&ada, "/auth/login").await, ["Log in"]);
    passkey.log_in(&ada).await.expect(303);
    ada.log_out().await.expect(204);
    assert_eq!(marked(&ada, "/auth/login").await, ["Log in with a passkey"]);
    assert!(marked(&ada, "/auth/signup").await.is_empty(), "it is not offered there");
}

async fn confirmation_sets_cookie(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.jar().remove("svc_last");
    let confirm = async |password: &str| ada.post_form("/auth/account/confirm", &[("password", password)]).await;
    assert!(confirm("wrong").await.cookie("svc_last").is_none());
    assert!(confirm(PASSWORD).await.expect(303).cookie("svc_last").is_some());
    ada.log_out().await.expect(204);
    assert_eq!(marked(&ada, "/auth/login").await, ["Log in"]);
}

async fn cookie_keeps_five_accounts_and_tells_nothing(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let browser = app.anonymous();
    let mut lengths = Vec::new();
    for number in 1..=7 {
        browser.sign_up(&format!("user{number}@example.com")).await.expect(303);
        lengths.push(browser.token("last").unwrap().len());
        browser.log_out().await.expect(204);
    }
    assert!(lengths.windows(2).take(4).all(|pair| pair[0] < pair[1]), "one more each: {lengths:?}");
    assert!(lengths[4] == lengths[5] && lengths[5] == lengths[6], "{lengths:?}");
    // One of the five again: it stands there once.
    browser.log_in("user5@example.com", PASSWORD).await.expect(303);
    assert_eq!(browser.token("last").unwrap().len(), lengths[6]);
    // Sealed again each time, so that equal cookies do not show which browsers share an account.
    let other = app.anonymous();
    other.log_in("user5@example.com", PASSWORD).await.expect(303);
    let before = other.token("last").unwrap();
    other.log_in("user5@example.com", PASSWORD).await.expect(303);
    assert_ne!(other.token("last").unwrap(), before);
    // After ninety days the accounts are forgotten.
    browser.log_out().await.expect(204);
    app.clock().advance(Duration::from_hours(91 * 24));
    browser.log_in("user5@example.com", PASSWORD).await.expect(303);
    assert_eq!(browser.token("last").unwrap().len(), lengths[0]);
}

async fn cookie_of_another_browser_hides_no_account(engine: Engine) {
    let app = engine.app().await;
    let browser = app.anonymous();
    let mut cookies = Vec::new();
    for name in ["ada", "bob", "carol"] {
        browser.sign_up(&format!("{name}@example.com")).await.expect(303);
        cookies.push(browser.token("last").unwrap());
        browser.log_out().await.expect(204);
    }
    let planted = app.sign_up("mallory@example.com").await.token("last").unwrap();
    // A host beside this one can add a cookie, which the browser sends first.
    for other in [&planted, &cookies[1]] {
        browser.set_token("last", &format!("{other}; svc_last={}", cookies[1]));
        browser.log_in("ada@example.com", PASSWORD).await.expect(303);
        let expected = if other == &planted { &cookies[2] } else { &cookies[1] };
        assert_eq!(browser.token("last").unwrap().len(), expected.len(), "each account once");
        browser.log_out().await.expect(204);
    }
}

async fn unreadable_cookie_marks_nothing(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let sealed = ada.token("last").unwrap();
    ada.log_out().await.expect(204);
    let other = if sealed.ends_with('A') { 'Q' } else { 'A' };
    for wrong in ["", "AAAA", &format!("{}{other}", &sealed[..sealed.len() - 1]), &ada.token("csrf").unwrap()] {
        ada.set_token("last", wrong);
        assert!(marked(&ada, "/auth/login").await.is_empty(), "{wrong}");
    }
    // A sibling host's before the browser's own does not hide it.
    let own = format!("svc_last=AAAA; svc_last={sealed}");
    let page = ada.get("/auth/login").header("cookie", &own).await.expect(200).text();
    assert!(page.contains(WORDS), "{page}");
}
