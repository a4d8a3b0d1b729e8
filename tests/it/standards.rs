//! Requirements of OWASP ASVS 5.0 that no other file tests; docs/concepts/asvs.md has the whole list.

use crate::harness::{Browser, Engine, Look, PASSWORD, Reply, TestApp, link_of};
use doorward::domain::account::operator;
use doorward::model::principal::Principal;
use doorward::model::roles::PlatformRole;
use reqwest::Method;
use std::time::Duration;

one_engine![
    new_installation_has_no_accounts,
    password_does_not_expire,
    password_is_compared_exactly_as_typed,
    password_reset_keeps_second_factor,
    cookies_fit_into_4096_bytes,
];
single_run![responses_reveal_no_software_version, trace_is_refused];
browser![password_field_allows_paste_and_reveal, back_button_after_logout_shows_nothing];

/// 6.3.2: there are no default accounts.
async fn new_installation_has_no_accounts(engine: Engine) {
    let app = engine.app().await;
    assert_eq!(app.database().count("SELECT count(*) FROM users").await, 0);
}

/// 6.2.10: no periodic password change.
async fn password_does_not_expire(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    app.clock().advance(Duration::from_hours(24 * 365 * 5));
    app.anonymous().log_in("ada", PASSWORD).await.expect(303);
}

/// 6.2.8 and 6.2.9: no truncation, trimming or case folding.
async fn password_is_compared_exactly_as_typed(engine: Engine) {
    let app = engine.app().await;
    let long = format!(" {} Ünï\u{1F511} ", "a lighthouse in the fog, ".repeat(4));
    let client = app.anonymous();
    client.post_form("/auth/signup", &[("email", "ada@example.com"), ("password", &long)]).await.expect(303);
    for other in [long.trim(), long.trim_end(), &long.to_lowercase(), &long[..72], &format!("{long}x")] {
        app.anonymous().log_in("ada", other).await.expect(401);
    }
    app.anonymous().log_in("ada", &long).await.expect(303);
}

/// 6.4.3: a password reset does not bypass the second factor.
async fn password_reset_keeps_second_factor(engine: Engine) {
    const NEW: &str = "a second lighthouse in the fog";
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.post_form(&link_of(&app.mail_to("ada@example.com", "Verify your").await), &[]).await.expect(303);
    ada.turn_on_two_factor(&app).await;
    let client = app.anonymous();
    client.post_form("/auth/password/forgot", &[("email", "ada@example.com")]).await.expect(303);
    let link = link_of(&app.mail_to("ada@example.com", "Reset your password").await);
    client.post_form(&link, &[("password", NEW)]).await.expect(303);
    assert!(client.log_in("ada", NEW).await.expect(303).location().starts_with("/auth/login/second-factor"));
    client.api_user().await.expect(401);
}

/// 3.3.5: browsers reject cookies of more than 4096 bytes, name included.
async fn cookies_fit_into_4096_bytes(engine: Engine) {
    let app = engine.app().await;
    let email = format!("{}@{}.example", "a".repeat(64), "b".repeat(60));
    app.sign_up(&email).await;
    grant_all_roles(&app, &email).await;
    let client = app.anonymous();
    let organization = "Ö".repeat(80);
    client.log_in(&email, PASSWORD).await.expect(303);
    client.post_form("/auth/organizations", &[("name", &organization)]).await.expect(303);
    let replies = [client.log_in(&email, PASSWORD).await, client.refresh("app").await];
    let cookies: Vec<_> = replies.iter().flat_map(Reply::set_cookies).collect();
    assert!(cookies.len() > 4, "{}", cookies.len());
    for cookie in cookies {
        assert!(cookie.name.len() + cookie.value.len() <= 4096, "{}: {}", cookie.name, cookie.value.len());
    }
}

async fn grant_all_roles(app: &TestApp, login: &str) {
    let user = operator::find(&app.app.store, &Principal::operator(), login).await.unwrap();
    for role in [PlatformRole::Admin, PlatformRole::Auditor, PlatformRole::Monitor] {
        assert!(crate::operators::grant(&app.app, user.id, role).await.unwrap());
    }
}

/// 13.4.6: no component version is exposed.
async fn responses_reveal_no_software_version() {
    let app = Engine::Sqlite.app().await;
    for path in ["/auth/login", "/auth/nowhere", "/auth/health", "/auth/ready", "/auth/api/v1/user"] {
        let reply = app.anonymous().get(path).await;
        for name in ["server", "x-powered-by", "via"] {
            assert_eq!(reply.header(name), None, "{path}");
        }
        assert!(!reply.text().contains(env!("CARGO_PKG_VERSION")), "{path}: {}", reply.text());
    }
}

/// 13.4.4: TRACE is not supported.
async fn trace_is_refused() {
    let app = Engine::Sqlite.app().await;
    for path in ["/auth/login", "/auth/api/v1/user", "/auth/assets/app.css"] {
        let reply = app.anonymous().call(Method::TRACE, path).header("x-secret", "do not echo").await;
        assert!(reply.status >= 400 && !reply.text().contains("do not echo"), "{path}: {}", reply.status);
    }
}

/// 6.2.6 and 6.2.7: the field is masked, can be revealed, and permits pasting and password managers.
async fn password_field_allows_paste_and_reveal() {
    let app = Engine::Sqlite.app().await;
    let browser = Browser::open(Look::DESKTOP).await;
    for path in ["/auth/signup", "/auth/login"] {
        browser.go(&format!("{}{path}", app.url())).await;
        let script = "const field = document.querySelector('#password'), button = document.querySelector('.reveal');
            const paste = new ClipboardEvent('paste', { bubbles: true, cancelable: true });
            const types = [field.type];
            for (let i = 0; i < 2; i++) { button.click(); types.push(field.type); }
            return [types, field.dispatchEvent(paste), field.autocomplete.endsWith('-password')]";
        let seen = browser.page.execute(script, vec![]).await.unwrap();
        assert_eq!(seen, serde_json::json!([["password", "text", "password"], true, true]), "{path}");
    }
}

/// 14.3.1 and 7.4.1: the browser has no cached page of the ended session.
async fn back_button_after_logout_shows_nothing() {
    let app = Engine::Sqlite.prepare().await.set("SVC_DEFAULT_RETURN_TO", "/auth/account").start().await;
    let browser = Browser::open(Look::DESKTOP).await;
    app.sign_up("ada@example.com").await;
    browser.go(&format!("{}/auth/login", app.url())).await;
    browser.send_unchecked("form", &[("email", "ada@example.com"), ("password", PASSWORD)]).await;
    assert!(browser.text().await.contains("ada@example.com"));
    browser.log_out().await;
    browser.wait_for_url("/auth/login").await;
    browser.page.back().await.unwrap();
    browser.wait_for_text("Log in").await;
    assert!(!browser.text().await.contains("ada@example.com"), "{}", browser.text().await);
}
