//! `POST /auth/api/v1/sessions/refresh`: its checks, statuses and cookies (docs/reference/api-v1.md 5.3 and 7).

use crate::harness::{Answers, Client, Engine, Reply, TestApp, advance_tokio_clock, eventually, on_one_thread};
use reqwest::Method;
use std::time::Duration;

both_engines![
    logout_takes_effect_at_once,
    logout_reaches_other_processes_within_a_second,
    refresh_with_failing_storage_consumes_nothing,
];
one_engine![
    refresh_replaces_cookies_with_empty_body,
    cookies_are_secure_at_https_address,
    missing_refresh_cookie_is_checked_first,
    refresh_without_csrf_token_consumes_nothing,
    refresh_from_foreign_origin_is_refused,
    refresh_with_invalid_audience_is_refused,
    audience_without_role_keeps_cookies,
    unknown_refresh_token_clears_session_cookies,
    refresh_of_disabled_user_is_refused,
    refresh_keeps_user_agent_of_login,
    browser_refresh_behaves_like_the_api,
    refresh_refuses_other_methods,
];
single_run![preflights_name_allowed_origins_only];

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

async fn refresh_replaces_cookies_with_empty_body(engine: Engine) {
    let (_app, ada) = app_with_user(engine).await;
    let before = ["access", "refresh", "csrf"].map(|suffix| ada.token(suffix).unwrap());
    let reply = ada.refresh("app").await.snapshot("refresh/done");
    let after = ["access", "refresh", "csrf"].map(|suffix| ada.token(suffix).unwrap());
    assert_ne!(before[0], after[0]);
    assert_ne!(before[1], after[1]);
    assert_eq!(before[2], after[2]);
    assert_eq!(reply.cookie("svc_csrf").unwrap().value, after[2]);
    ada.api_user().await.snapshot("api_v1/user");
}

async fn cookies_are_secure_at_https_address(engine: Engine) {
    let app = engine.prepare().await.set("SVC_BASE_URL", "https://id.example.com").start().await;
    let page = app.anonymous().get("/auth/login").await.expect(200);
    assert_eq!(page.cookie("svc_csrf").unwrap().attribute("secure"), Some(""));
}

async fn missing_refresh_cookie_is_checked_first(engine: Engine) {
    let app = engine.app().await;
    app.anonymous().refresh_call("").await.snapshot("refresh/not_logged_in");
}

async fn refresh_without_csrf_token_consumes_nothing(engine: Engine) {
    let (_app, ada) = app_with_user(engine).await;
    let refresh = ada.token("refresh");
    let other = "A".repeat(43);
    for call in [
        ada.refresh_call("?audience=app"),
        ada.refresh_call("?audience=app").header("x-csrf-token", ""),
        ada.refresh_call("?audience=app").header("x-csrf-token", &other),
    ] {
        call.await.snapshot("refresh/without_csrf_token");
    }
    // The form field counts for pages only; the CSRF check precedes that of the audience.
    let form = ada.refresh_call("").form_body(format!("csrf_token={}", ada.token("csrf").unwrap()));
    form.await.snapshot("refresh/csrf_token_as_field");
    let bare = ada.copy();
    let token = bare.token("csrf").unwrap();
    bare.jar().remove("svc_csrf");
    let call = bare.refresh_call("?audience=app").header("x-csrf-token", &token);
    call.await.snapshot("refresh/without_csrf_token");
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
        call.await.snapshot("refresh/from_foreign_origin");
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
    let mut answers = Answers::default();
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
        answers.add(&format!("audience: {query}"), ada.refresh_call(query).header("x-csrf-token", &token).await);
    }
    answers.snapshot("refresh/wrong_audience");
    ada.refresh("app").await.expect(200);
}

async fn audience_without_role_keeps_cookies(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    ada.refresh("admin").await.snapshot("refresh/audience_without_role");
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
        mallory.refresh("app").await.snapshot("refresh/wrong_token");
    }
    ada.refresh("app").await.expect(200);
}

async fn refresh_of_disabled_user_is_refused(engine: Engine) {
    let (app, ada) = app_with_user(engine).await;
    app.database().execute("UPDATE users SET disabled_at = created_at").await;
    eventually("the change takes effect", async || (ada.api_user().await.status == 401).then_some(())).await;
    ada.copy().refresh("app").await.snapshot("refresh/account_disabled");
    app.database().execute("UPDATE users SET disabled_at = NULL").await;
    ada.refresh("app").await.expect(200);
}

async fn logout_takes_effect_at_once(engine: Engine) {
    let (_app, ada) = app_with_user(engine).await;
    let backend = ada.copy();
    backend.api_user().await.expect(200);
    ada.log_out().await.snapshot("refresh/logged_out");
    backend.api_user().await.snapshot("api_v1/user_not_logged_in");
    backend.refresh("app").await.snapshot("refresh/session_ended");
    ada.api_user().await.snapshot("api_v1/user_not_logged_in");
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
    expect_no_cookies(&ada.refresh("app").await.snapshot("refresh/failing_storage"));
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
    ada.call(Method::POST, path).await.snapshot("refresh/browser_without_csrf_token");
    let token = ada.token("csrf").unwrap();
    ada.call(Method::POST, path).header("x-csrf-token", &token).await.snapshot("refresh/browser_done");
}

async fn refresh_refuses_other_methods(engine: Engine) {
    let app = engine.app().await;
    app.anonymous().get("/auth/api/v1/sessions/refresh").await.snapshot("refresh/wrong_method");
    app.anonymous().get("/auth/api/v1/nothing").await.snapshot("api_v1/no_such_operation");
}

async fn preflights_name_allowed_origins_only() {
    const ALLOWED: &str = "https://app.example.com";
    let app = Engine::Sqlite.prepare().await.set("SVC_ALLOWED_ORIGINS", ALLOWED).start().await;
    let mut answers = Answers::default();
    for path in ["api/v1/user", "api/v1/sessions/refresh", "sessions/refresh", "sessions/logout"] {
        answers.heading(&format!("OPTIONS /auth/{path}"));
        for origin in [ALLOWED, "https://evil.example"] {
            let call = app.anonymous().call(Method::OPTIONS, &format!("/auth/{path}")).header("origin", origin);
            answers.add(origin, call.header("access-control-request-method", "POST").await);
        }
    }
    answers.snapshot("api_v1/preflights");
}
