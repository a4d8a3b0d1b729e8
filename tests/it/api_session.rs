//! API v2 for the logged-in person (docs/reference/api-v2.md 18.4): who is there, switching, logging out.

use crate::api_organizations::KeyHolder;
use crate::harness::{Answers, Call, Client, Engine, Reply, TestApp};
use crate::organizations::{claims, create_team, user_id};
use reqwest::Method;
use serde_json::json;
use std::time::Duration;

both_engines![look_takes_a_refresh_token_and_leaves_no_trace,];
one_engine![
    session_is_shown,
    session_tells_name_and_external_id,
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

fn id_in(path: &str) -> &str {
    path.rsplit('/').next().unwrap()
}

async fn session_is_shown(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let shown = ada.get(SESSION).await.snapshot("api_session/shown").json();
    let mut user = shown["user"].clone();
    let beyond = ["email_verified", "name", "external_id"].map(|field| user.as_object_mut().unwrap().remove(field));
    assert_eq!(beyond, [json!(false), json!(null), json!(null)].map(Some));
    assert_eq!(user, ada.api_user().await.json());
    let (claims, session) = (claims(&ada), &shown["session"]);
    assert_eq!((&shown["organization"]["id"], &session["id"]), (&claims["org_id"], &claims["sid"]));
    assert!(session["created_at"].as_str().unwrap() < session["expires_at"].as_str().unwrap());
    ada.call(Method::HEAD, SESSION).await.snapshot("api_session/head");
    ada.get("/auth/api/v2/session?x=1").await.snapshot("api_session/bad_parameter");
    ada.get("/auth/api/v2/sessions").await.snapshot("api_session/no_such_operation");
    ada.get("/auth/api/v2").await.expect_error(404, "not_found");
    ada.call(Method::POST, SESSION).await.snapshot("api_session/wrong_method");
}

async fn session_tells_name_and_external_id(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let told = async || {
        let user = ada.get(SESSION).await.expect(200).json()["user"].clone();
        assert_eq!(user, ada.get("/auth/api/v2/session?refresh=look").await.expect(200).json()["user"]);
        json!([user["name"], user["external_id"]])
    };
    assert_eq!(told().await, json!([null, null]));
    ada.post_form("/auth/account/name", &[("name", "Ada King")]).await.expect(303);
    assert_eq!(told().await, json!(["Ada King", null]));
    let backend = KeyHolder::with(&app, "backend", &["users:read", "users:write"]).await;
    let user = format!("/auth/api/v2/users/{}", user_id(&ada).await);
    let change = json!({"name": null, "external_id": "crm 7/ä"});
    backend.send(Method::PATCH, &user, &change).await.expect(200);
    assert_eq!(told().await, json!([null, "crm 7/ä"]));
}

async fn session_needs_live_access_token(engine: Engine) {
    let app = engine.app().await;
    app.anonymous().get(SESSION).await.snapshot("api_session/not_logged_in");
    let ada = app.sign_up("ada@example.com").await;
    ada.set_token("access", "no.such.token");
    ada.get(SESSION).await.snapshot("api_session/not_logged_in");
    ada.refresh("app").await.expect(200);
    ada.get(SESSION).await.expect(200);
    app.clock().advance(Duration::from_mins(11));
    // The refresh token alone is not enough: a refresh comes first.
    ada.get(SESSION).await.snapshot("api_session/not_logged_in");
    ada.get(ORGANIZATIONS).await.snapshot("api_session/organizations_not_logged_in");
    switch(&ada, NOBODY).await.snapshot("api_session/switch_not_logged_in");
    ada.refresh("app").await.expect(200);
    ada.get(SESSION).await.expect(200);
}

/// As the gate does, and unlike the gate it does not even count as a use.
async fn look_takes_a_refresh_token_and_leaves_no_trace(engine: Engine) {
    const LOOK: &str = "/auth/api/v2/session?refresh=look";
    let app = engine.app().await;
    app.anonymous().get(LOOK).await.snapshot("api_session/look_not_logged_in");
    let ada = app.sign_up("ada@example.com").await;
    ada.get(LOOK).await.snapshot("api_session/look_by_access_token");
    app.clock().advance(Duration::from_mins(11));
    ada.get(SESSION).await.expect(401);
    let before = ada.token("refresh");
    for _ in 0..3 {
        let shown = ada.get(LOOK).await.snapshot("api_session/look_by_refresh_token").json();
        assert_eq!(shown["audience"], json!(null));
    }
    app.app.last_use.write(&app.app.store).await.unwrap();
    let used = "SELECT count(*) FROM sessions WHERE used OR last_used_at <> created_at";
    assert_eq!(app.database().count(used).await, 0);
    for wrong in ["?refresh=", "?refresh=true", "?refresh=look&refresh=look", "?refresh=look&x=1"] {
        ada.get(&format!("{SESSION}{wrong}")).await.expect(401);
    }
    ada.refresh("app").await.expect(200);
    for wrong in ["?refresh=", "?refresh=true", "?refresh=look&refresh=look", "?refresh=look&x=1"] {
        ada.get(&format!("{SESSION}{wrong}")).await.expect_error(400, "invalid_request");
    }
    // The parent of a token that was seen, past the grace.
    let parent = ada.copy();
    parent.set_token("refresh", before.as_deref().unwrap());
    parent.jar().remove("svc_access");
    ada.get(SESSION).await.expect(200);
    app.clock().advance(Duration::from_mins(11));
    parent.get(LOOK).await.expect_error(401, "unauthorized");
    ada.get(LOOK).await.expect(200);
}

async fn switch_sets_a_token_of_the_same_audience(engine: Engine) {
    let app = engine.prepare().await.set("SVC_AUDIENCES", "app,shop").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    ada.refresh("shop").await.expect(200);
    let shown = switch(&ada, id_in(&team)).await.snapshot("api_session/switched").json();
    assert_eq!(shown, ada.get(SESSION).await.expect(200).json());
    let claims = claims(&ada);
    assert_eq!((&claims["org_id"], &claims["aud"]), (&json!(id_in(&team)), &json!(["shop"])));
    let bob = app.sign_up("bob@example.com").await;
    let before = bob.get(SESSION).await.json();
    for id in [id_in(&team), NOBODY, "crew", ""] {
        switch(&bob, id).await.snapshot("api_session/switch_to_unknown");
    }
    assert_eq!(bob.get(SESSION).await.json(), before);
}

async fn bad_bodies_are_refused_in_order(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let mut answers = Answers::default();
    let form = put(&ada, "id=1").header("content-type", "application/x-www-form-urlencoded").await;
    answers.add("a form", form);
    answers.add("no body", change(&ada, Method::PUT, ORGANIZATION).await);
    answers.add("a large body", switch(&ada, &"x".repeat(70_000)).await);
    let deep = format!("{{\"id\":{}{}}}", "[".repeat(1000), "]".repeat(1000));
    for body in ["", "x", "[]", "{", r#"{"id":"a","id":"b"}"#, r#"{"id":"\u0000"}"#, r#"{"id":"\udc00"}"#, &deep] {
        answers.add(&body[..body.len().min(30)], put(&ada, body).await);
    }
    for body in ["{}", r#"{"id":"x","y":1}"#, r#"{"id":5}"#] {
        answers.add(body, put(&ada, body).await);
    }
    let charset = switch(&ada, NOBODY).header("content-type", "Application/JSON; charset=utf-8").await;
    answers.add("right, of an unknown organization", charset);
    answers.snapshot("api_session/bad_bodies");
}

async fn organizations_are_paged_newest_first(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    for name in ["One", "Two", "Three"] {
        app.clock().advance(Duration::from_millis(5));
        create_team(&ada, name).await;
    }
    let page = async |client: &Client, query: &str| client.get(&format!("{ORGANIZATIONS}{query}")).await;
    page(&ada, "").await.snapshot("api_session/organizations");
    let first = page(&ada, "?limit=3").await.snapshot("api_session/organizations_first_page").json();
    let cursor = first["next"].as_str().unwrap();
    page(&ada, &format!("?limit=3&after={cursor}")).await.snapshot("api_session/organizations_last_page");
    let bob = app.sign_up("bob@example.com").await;
    let mut answers = Answers::default();
    answers.add("the cursor of another user", page(&bob, &format!("?after={cursor}")).await);
    for query in ["limit=0", "limit=201", "limit=+5", "limit=", "limit=x", "limit=1&limit=1", "after=", "after=AAAA"] {
        answers.add(query, page(&ada, &format!("?{query}")).await);
    }
    answers.add("a changed cursor", page(&ada, &format!("?after={}A", &cursor[..cursor.len() - 2])).await);
    answers.snapshot("api_session/organizations_bad_parameters");
}

async fn logout_ends_the_session(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (thief, csrf) = (ada.copy(), ada.token("csrf"));
    change(&ada, Method::DELETE, SESSION).await.snapshot("api_session/logged_out");
    assert_eq!((ada.token("access"), ada.token("refresh")), (None, None));
    assert!(ada.token("csrf").is_some_and(|token| Some(token) != csrf));
    thief.get(SESSION).await.expect_error(401, "unauthorized");
    thief.refresh("app").await.expect(401);
    change(&ada, Method::DELETE, SESSION).await.snapshot("api_session/log_out_not_logged_in");
    // Also where only the refresh token is left.
    let bob = app.sign_up("bob@example.com").await;
    app.clock().advance(Duration::from_mins(11));
    let copy = bob.copy();
    change(&bob, Method::DELETE, SESSION).await.snapshot("api_session/logged_out");
    copy.refresh("app").await.expect(401);
}

async fn change_without_csrf_token_does_nothing(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let before = ada.get(SESSION).await.json();
    let body = json!({"id": id_in(&team)}).to_string();
    let mut answers = Answers::default();
    for (method, path) in [(Method::PUT, ORGANIZATION), (Method::DELETE, SESSION)] {
        answers.heading(&format!("{method} {path}"));
        let call = || ada.call(method.clone(), path).header("content-type", "application/json").body(body.clone());
        answers.add("no token", call().await);
        answers.add("a wrong token", call().header("x-csrf-token", &"A".repeat(43)).await);
        let right = ada.token("csrf").unwrap();
        let foreign = call().header("x-csrf-token", &right).header("origin", "https://evil.example");
        answers.add("a foreign origin", foreign.await);
    }
    answers.snapshot("api_session/csrf_refused");
    assert_eq!(ada.get(SESSION).await.expect(200).json(), before);
    // Who is not logged in is told that first.
    app.anonymous().call(Method::DELETE, SESSION).await.expect_error(401, "unauthorized");
    assert_eq!(user_id(&ada).await, before["user"]["id"].as_str().unwrap());
}

async fn allowed_origins_may_read_and_change() {
    let app = Engine::Sqlite.prepare().await.set("SVC_ALLOWED_ORIGINS", ALLOWED).start().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let from = |call: Call, origin: &str| call.header("origin", origin).header("sec-fetch-site", "same-site");
    let mut answers = Answers::default();
    for path in [SESSION, ORGANIZATION, ORGANIZATIONS] {
        answers.heading(&format!("OPTIONS {path}"));
        for origin in [ALLOWED, "https://evil.example"] {
            answers.add(origin, from(ada.call(Method::OPTIONS, path), origin).await);
        }
    }
    answers.snapshot("api_session/preflights");
    let mut answers = Answers::default();
    answers.add("GET by an allowed origin", from(ada.get(SESSION), ALLOWED).await);
    answers.add("GET by one, nobody logged in", from(app.anonymous().get(SESSION), ALLOWED).await);
    answers.add("GET by a foreign origin", from(ada.get(SESSION), "https://evil.example").await);
    answers.add("PUT by an allowed origin", from(switch(&ada, id_in(&team)), ALLOWED).await);
    let log_out = || change(&ada, Method::DELETE, SESSION);
    answers.add("DELETE by a foreign origin", from(log_out(), "https://evil.example").await);
    answers.add("DELETE by an allowed origin", from(log_out(), ALLOWED).await);
    answers.snapshot("api_session/origins");
}

async fn description_is_served_to_everyone() {
    let app: TestApp = Engine::Sqlite.app().await;
    let reply = app.anonymous().get("/auth/api/v2/openapi.json").await;
    let kept = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reference/openapi.json")).unwrap();
    assert!(reply.text() == kept);
    // The document itself is the snapshot of the body.
    Reply { body: Vec::new(), ..reply }.snapshot("api_description/headers");
}
