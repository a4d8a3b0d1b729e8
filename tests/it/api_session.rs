//! API v2 for the logged-in person (docs/protocol.md 18.4): who is there, switching, logging out.

use crate::harness::{Call, Client, Engine, Reply, TestApp};
use crate::organizations::{claims, create_team, user_id};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

both_engines![
    session_is_shown,
    session_needs_live_access_token,
    switch_sets_a_token_of_the_same_audience,
    bad_bodies_are_refused_in_order,
    organizations_are_paged_newest_first,
    logout_ends_the_session,
    change_without_csrf_token_does_nothing,
];
single_run![allowed_origins_may_read_and_change, description_is_served_to_everyone];

const SESSION: &str = "/auth/api/v2/session";
const ORGANIZATION: &str = "/auth/api/v2/session/organization";
const ORGANIZATIONS: &str = "/auth/api/v2/session/organizations";
const ALLOWED: &str = "https://app.example";
const NOBODY: &str = "01890000-0000-7000-8000-000000000000";

/// A change, with the CSRF token.
fn change(client: &Client, method: Method, path: &str) -> Call {
    client.call(method, path).header("x-csrf-token", &client.token("csrf").unwrap())
}

fn put(client: &Client, body: &str) -> Call {
    change(client, Method::PUT, ORGANIZATION).header("content-type", "application/json").body(body.to_owned())
}

fn switch(client: &Client, id: &str) -> Call {
    put(client, &json!({"id": id}).to_string())
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn id_in(path: &str) -> &str {
    path.rsplit('/').next().unwrap()
}

async fn session_is_shown(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let reply = ada.get(SESSION).await.expect(200);
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    let shown = reply.json();
    assert_eq!(keys(&shown), ["audience", "organization", "session", "user"]);
    let mut user = shown["user"].clone();
    assert_eq!(user.as_object_mut().unwrap().remove("email_verified"), Some(json!(false)));
    assert_eq!(user, ada.api_user().await.json());
    let claims = claims(&ada);
    let organization = json!({"id": claims["org_id"], "name": "ada", "kind": "personal", "role": "owner"});
    assert_eq!((&shown["organization"], &shown["audience"]), (&organization, &json!("app")));
    let session = &shown["session"];
    assert_eq!(keys(session), ["authenticated_at", "created_at", "expires_at", "id", "methods"]);
    assert_eq!((&session["id"], &session["methods"]), (&claims["sid"], &json!(["password"])));
    assert!(session["created_at"].as_str().unwrap() < session["expires_at"].as_str().unwrap());
    ada.call(Method::HEAD, SESSION).await.expect(200);
    ada.get("/auth/api/v2/session?x=1").await.expect_error(400, "invalid_request");
    ada.get("/auth/api/v2/sessions").await.expect_error(404, "not_found");
    ada.get("/auth/api/v2").await.expect_error(404, "not_found");
    let refused = ada.call(Method::POST, SESSION).await.expect_error(405, "method_not_allowed");
    assert!(refused.header("allow").unwrap().contains("DELETE"));
}

async fn session_needs_live_access_token(engine: Engine) {
    let app = engine.app().await;
    app.anonymous().get(SESSION).await.expect_error(401, "unauthorized");
    let ada = app.sign_up("ada@example.com").await;
    ada.set_token("access", "no.such.token");
    ada.get(SESSION).await.expect_error(401, "unauthorized");
    ada.refresh("app").await.expect(200);
    ada.get(SESSION).await.expect(200);
    app.clock().advance(Duration::from_mins(11));
    // The refresh token alone is not enough: a refresh comes first.
    for path in [SESSION, ORGANIZATIONS] {
        ada.get(path).await.expect_error(401, "unauthorized");
    }
    switch(&ada, NOBODY).await.expect_error(401, "unauthorized");
    ada.refresh("app").await.expect(200);
    ada.get(SESSION).await.expect(200);
}

async fn switch_sets_a_token_of_the_same_audience(engine: Engine) {
    let app = engine.prepare().await.set("SVC_AUDIENCES", "app,shop").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    ada.refresh("shop").await.expect(200);
    let reply = switch(&ada, id_in(&team)).await.expect(200);
    assert!(reply.cookie("svc_refresh").is_none() && reply.cookie("svc_access").is_some());
    let shown = reply.json();
    assert_eq!(shown, ada.get(SESSION).await.expect(200).json());
    let organization = json!({"id": id_in(&team), "name": "Crew", "kind": "team", "role": "owner"});
    assert_eq!((&shown["organization"], &shown["audience"]), (&organization, &json!("shop")));
    let claims = claims(&ada);
    assert_eq!((&claims["org_id"], &claims["aud"]), (&json!(id_in(&team)), &json!(["shop"])));
    let bob = app.sign_up("bob@example.com").await;
    let before = bob.get(SESSION).await.json();
    for id in [id_in(&team), NOBODY, "crew", ""] {
        switch(&bob, id).await.expect_error(404, "not_found");
    }
    assert_eq!(bob.get(SESSION).await.json(), before);
}

async fn bad_bodies_are_refused_in_order(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let form = put(&ada, "id=1").header("content-type", "application/x-www-form-urlencoded").await;
    form.expect_error(415, "unsupported_media_type");
    change(&ada, Method::PUT, ORGANIZATION).await.expect_error(415, "unsupported_media_type");
    switch(&ada, &"x".repeat(70_000)).await.expect_error(413, "too_large");
    let deep = format!("{{\"id\":{}{}}}", "[".repeat(1000), "]".repeat(1000));
    for body in ["", "x", "[]", "{", r#"{"id":"a","id":"b"}"#, r#"{"id":"\u0000"}"#, r#"{"id":"\udc00"}"#, &deep] {
        put(&ada, body).await.expect_error(400, "invalid_request");
    }
    let details = |reply: Reply| reply.expect_error(422, "validation_failed").json()["error"]["details"].clone();
    assert_eq!(details(put(&ada, "{}").await), json!({"id": "This field is required."}));
    assert_eq!(details(put(&ada, r#"{"id":"x","y":1}"#).await), json!({"y": "There is no such field."}));
    assert_eq!(keys(&details(put(&ada, r#"{"id":5}"#).await)), ["id"]);
    let charset = switch(&ada, NOBODY).header("content-type", "Application/JSON; charset=utf-8").await;
    charset.expect_error(404, "not_found");
}

async fn organizations_are_paged_newest_first(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    for name in ["One", "Two", "Three"] {
        app.clock().advance(Duration::from_millis(5));
        create_team(&ada, name).await;
    }
    let page = async |client: &Client, query: &str| client.get(&format!("{ORGANIZATIONS}{query}")).await;
    let names = |page: &Value| -> Vec<String> {
        page["data"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    let all = page(&ada, "").await.expect(200).json();
    assert_eq!((names(&all), &all["next"]), (["Three", "Two", "One", "ada"].map(str::to_owned).into(), &Value::Null));
    assert_eq!(keys(&all["data"][0]), ["id", "kind", "name", "role"]);
    let first = page(&ada, "?limit=3").await.expect(200).json();
    let cursor = first["next"].as_str().unwrap();
    let last = page(&ada, &format!("?limit=3&after={cursor}")).await.expect(200).json();
    assert_eq!((names(&last), &last["next"]), (vec!["ada".to_owned()], &Value::Null));
    let bob = app.sign_up("bob@example.com").await;
    let tampered = format!("{}{}", &cursor[..cursor.len() - 1], if cursor.ends_with('A') { 'B' } else { 'A' });
    page(&bob, &format!("?after={cursor}")).await.expect_error(400, "invalid_request");
    for query in ["limit=0", "limit=201", "limit=+5", "limit=", "limit=x", "limit=1&limit=1", "after=", "after=AAAA"] {
        page(&ada, &format!("?{query}")).await.expect_error(400, "invalid_request");
    }
    page(&ada, &format!("?after={}A", &tampered[..tampered.len() - 2])).await.expect_error(400, "invalid_request");
}

async fn logout_ends_the_session(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (thief, csrf) = (ada.copy(), ada.token("csrf"));
    let reply = change(&ada, Method::DELETE, SESSION).await.expect(204);
    assert!(reply.body.is_empty());
    assert_eq!((ada.token("access"), ada.token("refresh")), (None, None));
    assert!(ada.token("csrf").is_some_and(|token| Some(token) != csrf));
    thief.get(SESSION).await.expect_error(401, "unauthorized");
    thief.refresh("app").await.expect(401);
    change(&ada, Method::DELETE, SESSION).await.expect_error(401, "unauthorized");
    // Also where only the refresh token is left.
    let bob = app.sign_up("bob@example.com").await;
    app.clock().advance(Duration::from_mins(11));
    let copy = bob.copy();
    change(&bob, Method::DELETE, SESSION).await.expect(204);
    copy.refresh("app").await.expect(401);
}

async fn change_without_csrf_token_does_nothing(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let before = ada.get(SESSION).await.json();
    let body = json!({"id": id_in(&team)}).to_string();
    for (method, path) in [(Method::PUT, ORGANIZATION), (Method::DELETE, SESSION)] {
        let call = || ada.call(method.clone(), path).header("content-type", "application/json").body(body.clone());
        call().await.expect_error(403, "forbidden");
        call().header("x-csrf-token", &"A".repeat(43)).await.expect_error(403, "forbidden");
        let right = ada.token("csrf").unwrap();
        let foreign = call().header("x-csrf-token", &right).header("origin", "https://evil.example");
        foreign.await.expect_error(403, "forbidden");
    }
    assert_eq!(ada.get(SESSION).await.expect(200).json(), before);
    // Who is not logged in is told that first.
    app.anonymous().call(Method::DELETE, SESSION).await.expect_error(401, "unauthorized");
    assert_eq!(user_id(&ada).await, before["user"]["id"].as_str().unwrap());
}

/// The origin that may read the answer, and whether with cookies.
fn readers(reply: &Reply) -> (Option<&str>, Option<&str>) {
    (reply.header("access-control-allow-origin"), reply.header("access-control-allow-credentials"))
}

async fn allowed_origins_may_read_and_change() {
    let app = Engine::Sqlite.prepare().await.set("SVC_ALLOWED_ORIGINS", ALLOWED).start().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let from = |call: Call, origin: &str| call.header("origin", origin).header("sec-fetch-site", "same-site");
    for path in [SESSION, ORGANIZATION, ORGANIZATIONS] {
        let reply = from(ada.call(Method::OPTIONS, path), ALLOWED).await.expect(204);
        assert_eq!(reply.header("access-control-allow-methods"), Some("GET, PUT, DELETE"), "{path}");
        assert_eq!(readers(&reply), (Some(ALLOWED), Some("true")));
        let foreign = from(ada.call(Method::OPTIONS, path), "https://evil.example").await.expect(204);
        assert_eq!((readers(&foreign), foreign.header("access-control-allow-methods")), ((None, None), None));
    }
    let shown = from(ada.get(SESSION), ALLOWED).await.expect(200);
    assert_eq!((readers(&shown), shown.header("vary")), ((Some(ALLOWED), Some("true")), Some("Origin")));
    let refused = from(app.anonymous().get(SESSION), ALLOWED).await.expect(401);
    assert_eq!(readers(&refused), (Some(ALLOWED), Some("true")));
    assert_eq!(readers(&from(ada.get(SESSION), "https://evil.example").await.expect(200)), (None, None));
    from(switch(&ada, id_in(&team)), ALLOWED).await.expect(200);
    from(change(&ada, Method::DELETE, SESSION), "https://evil.example").await.expect_error(403, "forbidden");
    from(change(&ada, Method::DELETE, SESSION), ALLOWED).await.expect(204);
}

async fn description_is_served_to_everyone() {
    let app: TestApp = Engine::Sqlite.app().await;
    let reply = app.anonymous().get("/auth/api/v2/openapi.json").await.expect(200);
    assert_eq!(reply.header("content-type"), Some("application/json"));
    let kept = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/openapi.json")).unwrap();
    assert!(reply.text() == kept);
}
