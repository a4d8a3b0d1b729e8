//! `POST /auth/api/v1/sessions/refresh`: its checks, statuses and cookies (docs/protocol.md 5.3 and 7).

use crate::harness::{Client, Engine, Reply, TestApp, advance_tokio_clock, eventually, on_one_thread};
use reqwest::Method;
use std::time::Duration;

both_engines![
    refresh_replaces_cookies_with_empty_body,
    cookie_attributes_follow_the_protocol,
    missing_refresh_cookie_is_checked_first,
    refresh_without_csrf_token_consumes_nothing,
    refresh_from_foreign_origin_is_refused,
    refresh_with_invalid_audience_is_refused,
    audience_without_role_keeps_cookies,
    unknown_refresh_token_clears_session_cookies,
    refresh_of_disabled_user_is_refused,
    logout_takes_effect_at_once,
    logout_reaches_other_processes_within_a_second,
    refresh_with_failing_storage_consumes_nothing,
    refresh_keeps_user_agent_of_login,
    browser_refresh_behaves_like_the_api,
    refresh_refuses_other_methods,
];

/// A service with default settings and a user who has signed up.
async fn app_with_user(engine: Engine) -> (TestApp, Client) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    (app, ada)
}

/// Fails if the response sets a cookie.
#[track_caller]
fn expect_no_cookies(reply: &Reply) {
    assert_eq!(reply.set_cookies().count(), 0, "{:#?}", reply.headers);
}

/// Fails unless the response removes the session cookies and keeps `svc_csrf`.
#[track_caller]
fn expect_session_cleared(reply: &Reply) {
    for name in ["svc_access", "svc_refresh"] {
        assert!(reply.cookie(name).is_some_and(|cookie| cookie.is_removal()), "{name}: {:#?}", reply.headers);
    }
    assert!(reply.cookie("svc_csrf").is_none());
}

async fn refresh_replaces_cookies_with_empty_body(engine: Engine) {
    let (_app, ada) = app_with_user(engine).await;
    let before = ["access", "refresh", "csrf"].map(|suffix| ada.token(suffix).unwrap());
    let reply = ada.refresh("app").await.expect(200);
    assert!(reply.body.is_empty());
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    let after = ["access", "refresh", "csrf"].map(|suffix| ada.token(suffix).unwrap());
    assert_ne!(before[0], after[0]);
    assert_ne!(before[1], after[1]);
    assert_eq!(before[2], after[2]);
    assert_eq!(reply.cookie("svc_csrf").unwrap().value, after[2]);
    assert_eq!(ada.api_user().await.expect(200).json()["email"], "ada@example.com");
}

async fn cookie_attributes_follow_the_protocol(engine: Engine) {
    let (_app, ada) = app_with_user(engine).await;
    let reply = ada.refresh("app").await.expect(200);
    for (name, http_only, max_age) in
        [("svc_access", true, 600), ("svc_refresh", true, 336 * 3600), ("svc_csrf", false, 1440 * 3600)]
    {
        let cookie = reply.cookie(name).unwrap();
        assert_eq!(cookie.attribute("path"), Some("/"), "{name}");
        assert_eq!(cookie.attribute("samesite"), Some("Lax"), "{name}");
        assert_eq!(cookie.attribute("httponly").is_some(), http_only, "{name}");
        assert_eq!(cookie.attribute("secure"), None, "{name}");
        assert_eq!(cookie.attribute("domain"), None, "{name}");
        assert!(cookie.max_age().is_some_and(|age| (max_age - 5..=max_age).contains(&age)), "{cookie:?}");
    }
    let app = engine.prepare().await.set("SVC_BASE_URL", "https://id.example.com").start().await;
    let page = app.anonymous().get("/auth/login").await.expect(200);
    assert_eq!(page.cookie("svc_csrf").unwrap().attribute("secure"), Some(""));
}

async fn missing_refresh_cookie_is_checked_first(engine: Engine) {
    let app = engine.app().await;
    let reply = app.anonymous().refresh_call("").await.expect_error(401, "unauthorized");
    expect_no_cookies(&reply);
}

async fn refresh_without_csrf_token_consumes_nothing(engine: Engine) {
    let (_app, ada) = app_with_user(engine).await;
    let refresh = ada.token("refresh");
    let other = "A".repeat(43);
    for call in [
        ada.refresh_call("?audience=app"),
        ada.refresh_call("?audience=app").header("x-csrf-token", ""),
        ada.refresh_call("?audience=app").header("x-csrf-token", &other),
        // The form field counts for pages only; the CSRF check precedes that of the audience.
        ada.refresh_call("").form_body(format!("csrf_token={}", ada.token("csrf").unwrap())),
    ] {
        expect_no_cookies(&call.await.expect_error(400, "invalid_request"));
    }
    let bare = ada.copy();
    let token = bare.token("csrf").unwrap();
    bare.jar().remove("svc_csrf");
    let call = bare.refresh_call("?audience=app").header("x-csrf-token", &token);
    expect_no_cookies(&call.await.expect_error(400, "invalid_request"));
    assert_eq!(ada.token("refresh"), refresh);
    let reply = ada.refresh("app").await.expect(200);
    assert!(reply.cookie("svc_refresh").is_some(), "the token was still current and unused");
}

async fn refresh_from_foreign_origin_is_refused(engine: Engine) {
    let app = engine.prepare().await.set("SVC_ALLOWED_ORIGINS", "https://app.example.com").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let (allowed, foreign) = ("https://app.example.com", "https://evil.example");
    for call in [
        ada.refresh("app").header("sec-fetch-site", "cross-site"),
        ada.refresh("app").header("sec-fetch-site", "same-site"),
        ada.refresh("app").header("sec-fetch-site", "cross-site").header("origin", foreign),
        ada.refresh("app").header("origin", foreign),
        ada.refresh("app").header("origin", "null"),
        ada.refresh("app").header("origin", "https://app.example.com.evil.example"),
    ] {
        expect_no_cookies(&call.await.expect_error(400, "invalid_request"));
    }
    for call in [
        ada.refresh("app").header("sec-fetch-site", "same-origin"),
        ada.refresh("app").header("sec-fetch-site", "none"),
        ada.refresh("app").header("sec-fetch-site", "cross-site").header("origin", allowed),
        ada.refresh("app").header("origin", allowed),
        ada.refresh("app").header("origin", &app.url()),
        // A backend calls an internal host.
        ada.refresh("app").header("host", "internal:9000"),
    ] {
        call.await.expect(200);
    }
}

async fn refresh_with_invalid_audience_is_refused(engine: Engine) {
    let (_app, ada) = app_with_user(engine).await;
    let token = ada.token("csrf").unwrap();
    for query in [
        "",
        "?",
        "?audience",
        "?audience=",
        "?audience=nobody",
        "?audience=APP",
        "?audience=app&audience=app",
        "?audience=app&audience=admin",
        "?audience=app%00",
        "?audience=%ff",
        "?Audience=app",
        "?audience=app,admin",
    ] {
        let reply = ada.refresh_call(query).header("x-csrf-token", &token).await;
        expect_no_cookies(&reply.expect_error(400, "invalid_request"));
    }
    ada.refresh("app").await.expect(200);
}

async fn audience_without_role_keeps_cookies(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    expect_no_cookies(&ada.refresh("admin").await.expect_error(401, "unauthorized"));
    ada.refresh("app").await.expect(200);
    app.database().execute("UPDATE users SET roles = 'monitor'").await;
    ada.refresh("admin").await.expect(200);
    assert_eq!(ada.api_user().await.expect(200).json()["roles"], serde_json::json!(["svc:monitor"]));
}

async fn unknown_refresh_token_clears_session_cookies(engine: Engine) {
    let (_app, ada) = app_with_user(engine).await;
    let token = ada.token("refresh").unwrap();
    let forged = if token.ends_with('A') { "B" } else { "A" };
    let forged = format!("{}{forged}", &token[..token.len() - 1]);
    let truncated = &token[..token.len() / 2];
    let long = token.repeat(50);
    for bad in ["x", "....", "null", truncated, &forged, &long] {
        let mallory = ada.copy();
        mallory.set_token("refresh", bad);
        expect_session_cleared(&mallory.refresh("app").await.expect_error(401, "unauthorized"));
    }
    ada.refresh("app").await.expect(200);
}

async fn refresh_of_disabled_user_is_refused(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    app.database().execute("UPDATE users SET disabled_at = created_at").await;
    eventually("the change takes effect", async || (ada.api_user().await.status == 401).then_some(())).await;
    expect_session_cleared(&ada.copy().refresh("app").await.expect_error(401, "unauthorized"));
    app.database().execute("UPDATE users SET disabled_at = NULL").await;
    ada.refresh("app").await.expect(200);
}

async fn logout_takes_effect_at_once(engine: Engine) {
    let (_app, ada) = app_with_user(engine).await;
    let backend = ada.copy();
    backend.api_user().await.expect(200);
    let reply = ada.log_out().await.expect(204);
    expect_session_ended(&reply);
    backend.api_user().await.expect_error(401, "unauthorized");
    expect_session_cleared(&backend.refresh("app").await.expect_error(401, "unauthorized"));
    ada.api_user().await.expect_error(401, "unauthorized");
}

/// As [`expect_session_cleared`], with a new CSRF token.
#[track_caller]
fn expect_session_ended(reply: &Reply) {
    for name in ["svc_access", "svc_refresh"] {
        assert!(reply.cookie(name).is_some_and(|cookie| cookie.is_removal()), "{name}: {:#?}", reply.headers);
    }
    assert!(reply.cookie("svc_csrf").is_some_and(|cookie| !cookie.is_removal()));
}

async fn logout_reaches_other_processes_within_a_second(engine: Engine) {
    on_one_thread(async move || {
        let (app, ada) = app_with_user(engine).await;
        let second = app.second_process().await;
        let elsewhere = ada.copy().at(&second.url());
        elsewhere.api_user().await.expect(200);
        ada.log_out().await.expect(204);
        advance_tokio_clock(Duration::from_secs(1)).await;
        elsewhere.api_user().await.expect_error(401, "unauthorized");
        elsewhere.refresh("app").await.expect_error(401, "unauthorized");
    })
    .await;
}

async fn refresh_with_failing_storage_consumes_nothing(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    app.database().execute("ALTER TABLE sessions RENAME TO lost").await;
    expect_no_cookies(&ada.refresh("app").await.expect_error(500, "internal_error"));
    app.database().execute("ALTER TABLE lost RENAME TO sessions").await;
    assert!(ada.refresh("app").await.expect(200).cookie("svc_refresh").is_some());
    ada.api_user().await.expect(200);
}

async fn refresh_keeps_user_agent_of_login(engine: Engine) {
    let app = engine.app().await;
    let ada = app.anonymous();
    ada.get("/auth/signup").await;
    let token = ada.token("csrf").unwrap();
    let fields =
        [("email", "ada@example.com"), ("password", "a lighthouse in the fog"), ("csrf_token", token.as_str())];
    ada.form("/auth/signup", &fields).header("user-agent", "Her phone").await.expect(303);
    ada.refresh("app").header("user-agent", "A backend").await.expect(200);
    ada.api_user().header("user-agent", "A backend").await.expect(200);
    assert_eq!(app.database().count("SELECT count(*) FROM sessions WHERE user_agent = 'Her phone'").await, 1);
}

async fn browser_refresh_behaves_like_the_api(engine: Engine) {
    let (_app, ada) = app_with_user(engine).await;
    let path = "/auth/sessions/refresh?audience=app";
    ada.call(Method::POST, path).await.expect_error(400, "invalid_request");
    let token = ada.token("csrf").unwrap();
    let reply = ada.call(Method::POST, path).header("x-csrf-token", &token).await.expect(200);
    assert!(reply.body.is_empty() && reply.cookie("svc_refresh").is_some());
}

async fn refresh_refuses_other_methods(engine: Engine) {
    let app = engine.app().await;
    let reply = app.anonymous().get("/auth/api/v1/sessions/refresh").await.expect_error(405, "method_not_allowed");
    assert!(reply.header("allow").is_some_and(|allow| allow.contains("POST")), "{:?}", reply.headers);
    app.anonymous().get("/auth/api/v1/nothing").await.expect_error(404, "not_found");
}
