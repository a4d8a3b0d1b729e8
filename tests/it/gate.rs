//! `/auth/gate`: applications behind a reverse proxy (docs/reference/gate.md 17), asked as a trusted proxy asks.

use crate::gate_pages::expect_own_style;
use crate::harness::{
    Answers, Call, Client, Engine, PASSWORD, Proxy, Reply, TestApp, advance_tokio_clock, eventually, on_one_thread,
};
use crate::organizations::{claims, create_team};
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{DecodingKey, Validation, decode, decode_header};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

both_engines![logout_and_role_change_count_at_once_or_within_a_second,];
one_engine![
    user_passes_with_every_header,
    name_is_sent_where_it_is_asked_for,
    assertion_is_verified_by_its_origin_and_accepted_nowhere_else,
    page_is_led_to_login_and_script_is_not,
    untrusted_peer_changes_nothing,
    every_rule_is_met_or_not,
];
single_run![
    unusable_origins_get_no_redirect_and_no_assertion,
    shared_keys_sign_no_assertion,
    return_to_may_be_absolute_or_literal,
    get_logout_keeps_session,
    unreadable_rule_is_never_a_pass,
    websocket_of_another_origin_is_no_safe_request,
];
once_on_postgres![gate_fails_closed_while_database_is_away];

const NAMES: [&str; 9] = [
    "x-svc-user-id",
    "x-svc-user-email",
    "x-svc-user-username",
    "x-svc-user-roles",
    "x-svc-email-verified",
    "x-svc-organization-id",
    "x-svc-organization-role",
    "x-svc-session-id",
    "x-svc-assertion",
];
/// An application on the service's host, which gets its cookies.
pub const APPLICATION: &str = "http://127.0.0.1:9";

pub async fn start(engine: Engine, more: &[(&str, &str)]) -> TestApp {
    let builder = engine.prepare().await.set("SVC_RATE_LIMIT", "off").set("SVC_TRUSTED_PROXIES", "127.0.0.1");
    let builder = builder.set("SVC_RETURN_ORIGINS", APPLICATION).set("SVC_ACCESS_TTL", "1m");
    more.iter().fold(builder, |builder, (name, value)| builder.set(name, *value)).start().await
}

/// Asks as Caddy does, for a page of the application.
pub fn ask(client: &Client, query: &str) -> Call {
    client
        .get(&format!("/auth/gate{query}"))
        .header("x-forwarded-proto", "http")
        .header("x-forwarded-host", "127.0.0.1:9")
        .header("x-forwarded-uri", "/page?a=1&b=2")
        .header("x-forwarded-method", "GET")
}

pub fn page(call: Call) -> Call {
    call.header("sec-fetch-mode", "navigate").header("accept", "text/html,*/*")
}

pub fn script(call: Call) -> Call {
    call.header("sec-fetch-mode", "cors").header("accept", "application/json")
}

async fn user_passes_with_every_header(engine: Engine) {
    let app = start(engine, &[("SVC_GATE_HEADERS", "Remote-User=username,Remote-Name=email")]).await;
    let ada = app.sign_up("ada@example.com").await;
    let claims = claims(&ada);
    for method in [Method::GET, Method::POST, Method::DELETE] {
        let reply = ask(&ada, "").header("x-forwarded-method", method.as_str()).await.snapshot("gate/passed");
        let ids = [0, 5, 7].map(|index| reply.header(NAMES[index]));
        assert_eq!(ids, ["sub", "org_id", "sid"].map(|name| claims[name].as_str()));
    }
    // Without an access cookie, by the refresh token alone.
    let tab = ada.copy();
    tab.jar().remove("svc_access");
    // Nothing is replaced.
    script(ask(&tab, "")).await.snapshot("gate/passed");
    app.database().execute("DELETE FROM memberships").await;
    app.database().execute("UPDATE users SET roles = 'admin,monitor'").await;
    advance_past_memory(&app).await;
    ask(&ada, "").await.snapshot("gate/passed_with_roles_and_no_organization");
    ask(&app.anonymous(), "?optional").await.snapshot("gate/passed_anonymously");
}

/// It has no header of its own: a proxy that does not know the name lets a visitor's pass.
async fn name_is_sent_where_it_is_asked_for(engine: Engine) {
    let app = start(engine, &[("SVC_GATE_HEADERS", "Remote-Name=name")]).await;
    let ada = app.sign_up("ada@example.com").await;
    let sent = async || {
        let reply = ask(&ada, "").await.expect(200);
        assert_eq!(reply.header("x-svc-user-name"), None);
        reply.header("remote-name").unwrap().to_owned()
    };
    assert_eq!(sent().await, "");
    ada.post_form("/auth/account/name", &[("name", "100% Ada Müller")]).await.expect(303);
    assert_eq!(sent().await, "100%25%20Ada%20M%C3%BCller");
    let anonymous = ask(&app.anonymous(), "?optional").await.expect(200);
    assert_eq!(anonymous.header("remote-name"), Some(""));
}

/// Changes by hand are seen by the next request after one of the service's own.
async fn advance_past_memory(app: &TestApp) {
    let name = app.clock().now().as_micros();
    app.clock().advance(Duration::from_micros(1));
    app.sign_up(&format!("u{name}@example.com")).await.log_out().await.expect(204);
}

fn verify(assertion: &str, set: &Value, audience: &str) -> Option<Value> {
    let set: JwkSet = serde_json::from_value(set.clone()).unwrap();
    let header = decode_header(assertion).ok()?;
    assert_eq!(header.typ.as_deref(), Some("gate+jwt"));
    let key = DecodingKey::from_jwk(set.find(&header.kid?)?).ok()?;
    let mut validation = Validation::new(header.alg);
    validation.set_audience(&[audience]);
    decode::<Value>(assertion, &key, &validation).ok().map(|token| token.claims)
}

async fn assertion_is_verified_by_its_origin_and_accepted_nowhere_else(engine: Engine) {
    for algorithm in ["EdDSA", "ES256"] {
        let app = start(engine, &[("SVC_JWT_ALG", algorithm)]).await;
        let ada = app.sign_up("ada@example.com").await;
        let set = ada.get("/auth/.well-known/jwks.json").await.expect(200).json();
        let assertion = ask(&ada, "").await.expect(200).header(NAMES[8]).unwrap().to_owned();
        let asserted = verify(&assertion, &set, APPLICATION).unwrap();
        let token = claims(&ada);
        for name in ["iss", "sub", "sid", "org_id", "org_role", "roles"] {
            assert_eq!(asserted[name], token[name], "{name}");
        }
        assert_eq!(asserted["aud"], json!([APPLICATION]));
        assert_eq!((&asserted["email"], &asserted["email_verified"]), (&json!("ada@example.com"), &json!(false)));
        assert_eq!(asserted["username"], "ada");
        assert_eq!(asserted["exp"].as_i64().unwrap() - asserted["iat"].as_i64().unwrap(), 60);
        assert!(verify(&assertion, &set, "http://127.0.0.1:10").is_none(), "another application's");
        let again = ask(&ada, "").await.expect(200).header(NAMES[8]).unwrap().to_owned();
        assert_eq!(again, assertion);
        app.clock().advance(Duration::from_secs(30));
        let later = ask(&ada, "").await.expect(200).header(NAMES[8]).unwrap().to_owned();
        assert_ne!(later, assertion);
        let pinned = ada.get("/auth/gate?origin=http%3A%2F%2F127.0.0.1%3A9").await.expect(200);
        assert!(verify(pinned.header(NAMES[8]).unwrap(), &set, APPLICATION).is_some());
        let thief = app.anonymous();
        thief.set_token("access", &later);
        thief.api_user().await.expect(401);
        ask(&thief, "").await.expect(401);
    }
}

/// Every address of this service in an answer begins with its own, which snapshots do not tell from another host.
#[track_caller]
fn expect_own_address(reply: &Reply, app: &TestApp) {
    let names = ["location", "x-svc-login-url", "x-svc-redirect"];
    let targets: Vec<_> =
        names.iter().filter_map(|name| reply.header(name)).filter(|value| !value.is_empty()).collect();
    let own = format!("{}/auth/", app.url());
    assert!(!targets.is_empty() && targets.iter().all(|target| target.starts_with(&own)), "{targets:?}");
}

async fn page_is_led_to_login_and_script_is_not(engine: Engine) {
    let app = start(engine, &[]).await;
    let nobody = app.anonymous();
    let login = format!("{}/auth/login?return_to=http%3A%2F%2F127%2E0%2E0%2E1%3A9%2Fpage%3Fa%3D1%26b%3D2", app.url());
    // No cookie: it would be the application's.
    let reply = page(ask(&nobody, "")).await.snapshot("gate/page_led_to_login");
    assert_eq!(reply.location(), login);
    expect_own_address(&reply, &app);
    let nginx = nobody.get("/auth/gate").header("x-original-url", &format!("{APPLICATION}/page?a=1&b=2"));
    let nginx = page(nginx.header("x-original-method", "GET"));
    expect_own_address(&nginx.await.snapshot("gate/page_led_to_login_by_nginx"), &app);
    expect_own_address(&script(ask(&nobody, "")).await.snapshot("gate/script_not_logged_in"), &app);
    let root = format!("{}/auth/login?return_to=http%3A%2F%2F127%2E0%2E0%2E1%3A9%2F", app.url());
    for (call, expected) in [
        (ask(&nobody, "").header("x-forwarded-method", "POST").header("accept", "text/html"), root.clone()),
        (script(ask(&nobody, "")).header("referer", &format!("{APPLICATION}/from?x")), format!("{root}from%3Fx")),
        (script(ask(&nobody, "")).header("referer", "http://elsewhere.example/x"), login.clone()),
        (page(ask(&nobody, "")).header("x-forwarded-uri", "//elsewhere.example/"), root.clone()),
        (page(ask(&nobody, "")).header("x-forwarded-uri", &format!("/{}", "x".repeat(3000))), root.clone()),
    ] {
        assert_eq!(call.await.header("x-svc-login-url"), Some(expected.as_str()));
    }
    let own = page(ask(&nobody, "").header("x-forwarded-host", app.url().trim_start_matches("http://"))).await;
    assert!(own.expect(302).location().ends_with("/auth/login?return_to=%2Fpage%3Fa%3D1%26b%3D2"));
    assert_eq!(app.app.metrics.auth.gate.of(doorward::metrics::GateOutcome::Passed), 0);
}

async fn untrusted_peer_changes_nothing(engine: Engine) {
    let app = start(engine, &[("SVC_TRUSTED_PROXIES", "192.0.2.1")]).await;
    let ada = app.sign_up("ada@example.com").await;
    for call in [
        page(ask(&app.anonymous(), "")),
        page(ask(&app.anonymous(), "?origin=http://127.0.0.1:9")),
        page(app.anonymous().get("/auth/gate").header("x-original-url", "http://127.0.0.1:9/page")),
    ] {
        let reply = call.await.expect(401);
        assert!(reply.header("x-svc-login-url").is_none() && reply.header("location").is_none());
    }
    for query in ["", "?origin=http://127.0.0.1:9"] {
        let reply = ask(&ada, query).await.expect(200);
        assert_eq!((reply.header(NAMES[2]), reply.header(NAMES[8])), (Some("ada"), Some("")));
    }
}

async fn every_rule_is_met_or_not(engine: Engine) {
    let app = start(engine, &[("SVC_ACCESS_TTL", "1h")]).await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    ada.post_form(&format!("{team}/switch"), &[]).await.expect(303);
    let id = team.rsplit('/').next().unwrap().to_owned();
    app.database().execute("UPDATE memberships SET role = 'admin'").await;
    app.database().execute("UPDATE users SET roles = 'auditor', email_verified_at = created_at").await;
    advance_past_memory(&app).await;
    let other = "019aa5d6-7f33-7c41-9b1e-52d8e1c077aa";
    let mut answers = Answers::default();
    for query in [
        format!("?organization={id}&role=admin&verified&platform=auditor&fresh=15m"),
        "?role=member".to_owned(),
        "?role=owner".to_owned(),
        format!("?organization={other}"),
        format!("?organization={id}&role=owner"),
        "?platform=monitor".to_owned(),
        "?platform=admin&optional".to_owned(),
        // A step-up would not help.
        "?mfa&role=owner".to_owned(),
    ] {
        answers.add(&query, script(ask(&ada, &query)).await);
    }
    page(ask(&ada, "?role=owner")).await.snapshot("gate/page_forbidden");
    app.database().execute("UPDATE users SET email_verified_at = NULL, roles = 'admin'").await;
    advance_past_memory(&app).await;
    answers.add("?verified, which it is no longer", ask(&ada, "?verified").await);
    answers.add("?platform=monitor of an admin", ask(&ada, "?platform=monitor").await);
    // What the user can show.
    expect_own_address(&page(ask(&ada, "?mfa")).await.snapshot("gate/page_led_to_second_factor"), &app);
    let reply = answers.add("?mfa without a second factor", script(ask(&ada, "?mfa")).await);
    expect_own_address(&reply, &app);
    app.clock().advance(Duration::from_mins(5));
    expect_own_address(&page(ask(&ada, "?fresh=5m")).await.snapshot("gate/page_led_to_confirmation"), &app);
    let reply = answers.add("?fresh=5m of an older login", script(ask(&ada, "?fresh=5m")).await);
    expect_own_address(&reply, &app);
    ada.post_form("/auth/account/confirm", &[("password", PASSWORD)]).await.expect(303);
    page(ask(&ada, "?fresh=5m")).await.expect(200);
    let (phone, _) = ada.turn_on_two_factor(&app).await;
    ada.post_form("/auth/account/confirm/code?mfa=1", &[("code", &phone.next_code(&app))]).await.expect(303);
    page(ask(&ada, "?mfa")).await.expect(200);
    // Where the request comes from.
    let post = |name, value| ask(&ada, "?same-origin").header("x-forwarded-method", "POST").header(name, value);
    post("sec-fetch-site", "same-origin").await.expect(200);
    post("sec-fetch-site", "none").await.expect(200);
    post("origin", APPLICATION).await.expect(200);
    for (name, value) in [("sec-fetch-site", "same-site"), ("sec-fetch-site", "cross-site"), ("origin", "null")] {
        answers.add(&format!("?same-origin with {name}: {value}"), post(name, value).await);
    }
    answers.snapshot("gate/rules");
    post("sec-fetch-site", "same-origin").also_header("sec-fetch-site", "same-origin").await.expect(403);
    ask(&ada, "?same-origin").await.expect(200);
    ada.get("/auth/gate?same-origin").await.expect(403);
    let preflight = ask(&app.anonymous(), "?preflight").header("x-forwarded-method", "OPTIONS");
    let preflight = preflight.header("origin", "http://x.example").header("access-control-request-method", "PUT");
    preflight.await.snapshot("gate/preflight_passed");
    ask(&app.anonymous(), "?preflight").header("x-forwarded-method", "OPTIONS").await.expect(401);
}

/// A handshake is a GET, and the cookies go along from each host below `SVC_COOKIE_DOMAIN`.
async fn websocket_of_another_origin_is_no_safe_request() {
    let app = start(Engine::Sqlite, &[]).await;
    let ada = app.sign_up("ada@example.com").await;
    let handshake = |name, value| ask(&ada, "?same-origin").header(name, value);
    let by_mode = || handshake("sec-fetch-mode", "websocket");
    let by_key = || handshake("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
    let by_version = || handshake("sec-websocket-version", "13");
    let sibling = "http://evil.example.org";
    for call in [by_mode(), by_key(), by_version(), by_mode().also_header("sec-fetch-mode", "navigate")] {
        let what = format!("{call:?}");
        let call = call.header("sec-fetch-site", "same-site").header("origin", sibling);
        assert_eq!(call.await.status, 403, "{what}");
    }
    by_mode().await.expect(403);
    by_key().header("origin", sibling).await.expect(403);
    for call in [by_mode(), by_key()] {
        call.header("sec-fetch-site", "same-site").header("origin", APPLICATION).await.expect(200);
    }
    by_mode().header("sec-fetch-site", "same-origin").header("origin", APPLICATION).await.expect(200);
    ask(&ada, "").header("sec-fetch-mode", "websocket").header("origin", sibling).await.expect(200);
}

async fn unreadable_rule_is_never_a_pass() {
    let app = start(Engine::Sqlite, &[]).await;
    let (ada, nobody) = (app.sign_up("ada@example.com").await, app.anonymous());
    let organization = "organization=019aa5d6-7f33-7c41-9b1e-52d8e1c077aa";
    let flags = ["verified", "mfa", "same-origin", "optional", "preflight"];
    let values = ["origin=http://127.0.0.1:9", organization, "role=member", "platform=admin", "fresh=15m"];
    let repeated = flags.iter().chain(&values).map(|rule| format!("?{rule}&{rule}"));
    let with_value = flags.iter().map(|rule| format!("?{rule}=1"));
    let without = values.iter().map(|rule| format!("?{}=", rule.split('=').next().unwrap()));
    let other =
        ["?admin", "?role=boss", "?optional&a=1", "?fresh=1", "?organization=crew", "?origin=app", "?Mfa", "?=1"];
    let mut answers = Answers::default();
    for query in repeated.chain(with_value).chain(without).chain(other.map(str::to_owned)) {
        answers.add(&query, script(ask(&ada, &query)).await);
        let reply = page(ask(&nobody, &query)).await.expect(500);
        assert!(reply.header("x-svc-login-url").is_none(), "read before the cookies: {query}");
    }
    answers.snapshot("gate/unreadable_rules");
    page(ask(&nobody, "?role=boss")).await.snapshot("gate/page_of_unreadable_rule");
}

async fn logout_and_role_change_count_at_once_or_within_a_second(engine: Engine) {
    on_one_thread(async move || {
        let app = start(engine, &[]).await;
        let second = app.second_process().await;
        let ada = app.sign_up("ada@example.com").await;
        for has_access_cookie in [true, false] {
            if !has_access_cookie {
                ada.jar().remove("svc_access");
            }
            let elsewhere = ada.copy().at(&second.url());
            let role = async || ask(&elsewhere, "").await.expect(200).header(NAMES[6]).unwrap().to_owned();
            app.database().execute("UPDATE memberships SET role = 'owner'").await;
            advance_tokio_clock(Duration::from_secs(1)).await;
            assert_eq!(role().await, "owner");
            app.database().execute("UPDATE memberships SET role = 'member'").await;
            advance_tokio_clock(Duration::from_secs(1)).await;
            assert_eq!(role().await, "member");
            ask(&elsewhere, "?role=admin").await.expect(403);
        }
        let (tab, elsewhere) = (ada.copy(), ada.copy().at(&second.url()));
        ask(&tab, "").await.expect(200);
        ask(&elsewhere, "").await.expect(200);
        ada.log_out().await.expect(204);
        ask(&tab, "").await.expect(401);
        advance_tokio_clock(Duration::from_secs(1)).await;
        ask(&elsewhere, "").await.expect(401);
    })
    .await;
}

async fn unusable_origins_get_no_redirect_and_no_assertion() {
    let far = "http://far.example";
    let app = start(Engine::Sqlite, &[("SVC_RETURN_ORIGINS", far)]).await;
    let ada = app.sign_up("ada@example.com").await;
    for host in ["far.example", "unlisted.example"] {
        page(ask(&app.anonymous(), "").header("x-forwarded-host", host)).await.snapshot("gate/page_out_of_reach");
        let reply = ask(&ada, "").header("x-forwarded-host", host).await.expect(200);
        assert_eq!((reply.header(NAMES[2]), reply.header(NAMES[8])), (Some("ada"), Some("")));
    }
}

async fn shared_keys_sign_no_assertion() {
    let keys = [("SVC_JWT_KEYS", "one:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="), ("SVC_JWT_ACTIVE_KEY_ID", "one")];
    let app = start(Engine::Sqlite, &keys).await;
    let ada = app.sign_up("ada@example.com").await;
    assert_eq!(ask(&ada, "").await.expect(200).header(NAMES[8]), Some(""));
}

async fn return_to_may_be_absolute_or_literal() {
    let app = start(Engine::Sqlite, &[]).await;
    app.sign_up("ada@example.com").await;
    let own = app.url();
    for (sent, location) in [
        ("return_to=/page?a=1&b=%26", "/page?a=1&b=%26".to_owned()),
        ("return_to=%2Fpage%3Fa%3D1%26b%3D2", "/page?a=1&b=2".to_owned()),
        (&format!("return_to={own}/page"), format!("{own}/page")),
        ("return_to=http%3A%2F%2F127.0.0.1%3A9%2Fpage%3Fa%3D1%26b%3D2", format!("{APPLICATION}/page?a=1&b=2")),
        ("return_to=http%3A%2F%2F127.0.0.1%3A10%2F", "/auth/account".to_owned()),
    ] {
        let visitor = app.anonymous();
        let form = visitor.get(&format!("/auth/login?{sent}")).await.expect(200);
        assert!(form.header("content-security-policy").unwrap().contains(APPLICATION));
        let text = form.text();
        let carried = text.split("name=\"return_to\" value=\"").nth(1).map(|rest| rest.split('"').next().unwrap());
        let carried = carried.unwrap_or_default().replace("&amp;", "&").replace("&#38;", "&");
        let fields = [("email", "ada"), ("password", PASSWORD), ("return_to", carried.as_str())];
        assert_eq!(visitor.post_form("/auth/login", &fields).await.expect(303).location(), location, "{sent}");
    }
}

async fn get_logout_keeps_session() {
    let app = start(Engine::Sqlite, &[]).await;
    let ada = app.sign_up("ada@example.com").await;
    let link = "/auth/logout?return_to=http%3A%2F%2F127.0.0.1%3A9%2Fbye";
    let text = ada.get(link).await.expect(200).text();
    assert!(
        text.contains("action=\"/auth/sessions/logout\"") && text.contains(&format!("{APPLICATION}/bye")),
        "{text}"
    );
    ada.api_user().await.expect(200);
    let fields = [("return_to", "http://127.0.0.1:9/bye")];
    let call = ada.form("/auth/sessions/logout", &[fields[0], ("csrf_token", &ada.token("csrf").unwrap())]);
    assert_eq!(call.header("accept", "text/html").await.expect(303).location(), format!("{APPLICATION}/bye"));
    ada.api_user().await.expect(401);
}

async fn gate_fails_closed_while_database_is_away() {
    let builder = Engine::Postgres.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.1");
    let (server, direct) = (builder.database().server_address().to_owned(), builder.database().url().to_owned());
    let proxy = Proxy::start(&server).await;
    let app = builder
        .set("SVC_DATABASE_URL", direct.replace(&server, &proxy.address().to_string()))
        .set("SVC_RETURN_ORIGINS", APPLICATION)
        .start()
        .await;
    let ada = app.sign_up("ada@example.com").await;
    ask(&ada, "").await.expect(200);
    let with_access = ada.copy();
    proxy.cut();
    for has_access_cookie in [true, false] {
        if !has_access_cookie {
            ada.jar().remove("svc_access");
        }
        let away = async || (script(ask(&ada, "")).await.status != 200).then_some(());
        eventually("the cached session has expired", away).await;
        script(ask(&ada, "")).await.snapshot("gate/unavailable");
        expect_own_style(&page(ask(&ada, "")).await.snapshot("gate/page_unavailable"));
    }
    with_access.api_user().await.snapshot("api_v1/user_unavailable");
    with_access.get("/auth/api/v2/session").await.snapshot("api_session/unavailable");
    ada.refresh("app").await.snapshot("refresh/unavailable");
}
