//! API v2: what is wrong with a request is looked for in one order by every operation (docs/reference/api-v2.md 18.1).

use crate::api_organizations::{KeyHolder, ORGANIZATIONS};
use crate::harness::{Answers, Client, Engine, TestApp, raw_http, run_program};
use crate::invitations::invite;
use crate::organizations::{create_team, user_id};
use regex::Regex;
use reqwest::Method;
use serde_json::{Value, json};

one_engine![
    operations_look_for_what_is_wrong_in_one_order,
    fields_need_their_scope_whatever_stands_in_them,
    logout_is_refused_in_order,
    megabytes_are_refused_and_leave_a_defined_connection,
];

const USERS: &str = "/auth/api/v2/users";
const NOBODY: &str = "01890000-0000-7000-8000-000000000000";
const SCOPES: [&str; 5] = ["users:read", "users:write", "users:security", "organizations:read", "organizations:write"];

async fn grant(app: &TestApp, user: &str, role: &str) {
    let output = run_program(&["user", "grant", user, role], app.variables()).await;
    assert!(output.status.success(), "{output:?}");
}

async fn session_of(client: &Client) -> String {
    let session = client.get("/auth/api/v2/session").await.expect(200).json();
    session["session"]["id"].as_str().unwrap().to_owned()
}

/// An operation, and how much can be wrong with a request to it.
struct Operation {
    method: Method,
    /// Which the right key has, and the other one has not.
    scope: String,
    path: String,
    /// The same path, where one of its ids names nothing.
    missing: Vec<String>,
    /// The same path, where it names a user with platform roles.
    protected: Option<String>,
    body: Body,
    /// A request that only what is there does not permit.
    conflict: Option<Value>,
}

enum Body {
    /// It ignores one.
    None,
    /// It may be left out, and has no fields.
    Bare,
    Fields,
}

/// More fields than a page may be asked with, none of which is known.
fn bad_query(path: &str) -> String {
    format!("{path}?{}", vec!["color=red"; 100].join("&"))
}

impl Operation {
    /// Whether it changes something, and the path says all.
    fn is_bare_act(&self) -> bool {
        self.method != Method::GET && !matches!(self.body, Body::Fields) && self.conflict.is_none()
    }

    /// Sends a request with ever less wrong.
    async fn refuse_in_order(&self, keys: &Keys, answers: &mut Answers) {
        answers.heading(&format!("{} {}", self.method, self.path));
        let (right, path) = (keys.right(), bad_query(&self.path));
        let untyped =
            |key: &KeyHolder, path: &str| key.call(self.method.clone(), &bad_query(path)).body("x".repeat(70_000));
        let worst = self.missing.first().unwrap_or(&self.path);
        answers.add("a wrong key", untyped(right, worst).header("authorization", "Bearer wrong").await);
        answers.add("a key without the scope", untyped(keys.without(&self.scope), worst).await);
        for missing in &self.missing {
            answers.add(&format!("nothing at {missing}"), untyped(right, missing).await);
        }
        if let Some(protected) = &self.protected {
            answers.add("an administrator", untyped(right, protected).await);
        }
        let json = |path: &str, body: String| {
            right.call(self.method.clone(), path).header("content-type", "application/json").body(body)
        };
        if !matches!(self.body, Body::None) {
            answers.add("no content type", untyped(right, &self.path).await);
            answers.add("a large body", json(&path, "x".repeat(70_000)).await);
            answers.add("an unknown parameter, and no object", json(&path, "[]".to_owned()).await);
            answers
                .add("an unknown parameter, and an unknown field", json(&path, r#"{"color":"red"}"#.to_owned()).await);
            answers.add("an unknown field", json(&self.path, r#"{"color":"red"}"#.to_owned()).await);
        }
        answers.add("an unknown parameter", json(&path, "{}".to_owned()).await);
        if let Some(body) = &self.conflict {
            answers.add(&body.to_string(), json(&self.path, body.to_string()).await);
        }
    }
}

/// A key with all scopes but `platform:write`, and those that have one scope less.
struct Keys(Vec<(&'static str, KeyHolder)>);

impl Keys {
    async fn new(app: &TestApp) -> Self {
        let mut keys = vec![("", KeyHolder::with(app, "backend", &SCOPES).await)];
        for scope in SCOPES {
            let others: Vec<&str> = SCOPES.into_iter().filter(|other| *other != scope).collect();
            keys.push((scope, KeyHolder::with(app, &scope.replace(':', "-"), &others).await));
        }
        Self(keys)
    }

    fn right(&self) -> &KeyHolder {
        self.without("")
    }

    fn without(&self, scope: &str) -> &KeyHolder {
        &self.0.iter().find(|(without, _)| *without == scope).unwrap().1
    }
}

/// Ada, who has a platform role, and Bob, who has none, with their sessions, and Bob's team.
struct Scene {
    administrator: Client,
    ada: String,
    bob: String,
    ada_session: String,
    bob_session: String,
    team: String,
    invitation: String,
}

impl Scene {
    async fn new(app: &TestApp, backend: &KeyHolder) -> Self {
        let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
        grant(app, "ada", "auditor").await;
        let page = create_team(&bob, "Crew").await;
        let link = invite(&bob, &page, "ada@example.com", "member").await;
        ada.post_form(&format!("{link}/accept"), &[]).await.expect(303);
        let last = |path: &str| path.rsplit('/').next().unwrap().to_owned();
        let team = last(&page);
        let new = json!({"email": "cy@example.com", "role": "member", "send_mail": false});
        let made = backend.post(&format!("{ORGANIZATIONS}/{team}/invitations"), &new).await.expect(201);
        let invitation = last(made.location());
        let (ada_session, bob_session) = (session_of(&ada).await, session_of(&bob).await);
        let (ada_id, bob) = (user_id(&ada).await, user_id(&bob).await);
        Self { administrator: ada, ada: ada_id, bob, ada_session, bob_session, team, invitation }
    }

    /// The operations for backends, by their description.
    fn operations(&self) -> Vec<Operation> {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reference/openapi.json");
        let description: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let scope = Regex::new(r"Scope:\s+`([a-z:]+)`").unwrap();
        let mut operations = Vec::new();
        for (path, methods) in description["paths"].as_object().unwrap() {
            let methods = methods.as_object().unwrap().iter();
            for (method, described) in methods.filter(|(_, described)| described["security"][0]["key"].is_array()) {
                let body = match (described.get("requestBody"), method.as_str()) {
                    (Some(_), _) => Body::Fields,
                    (None, "post") => Body::Bare,
                    (None, _) => Body::None,
                };
                let scope = scope.captures(described["description"].as_str().unwrap()).expect("a scope");
                operations.push(self.operation(&method.to_uppercase(), path, scope[1].to_owned(), body));
            }
        }
        assert!(operations.len() > 20, "{}", operations.len());
        operations
    }

    /// On Bob or his team, by a path with gaps.
    fn operation(&self, method: &str, path: &str, scope: String, body: Body) -> Operation {
        let is_on_user = path.starts_with(USERS);
        let (id, nothing) = if is_on_user { (&self.bob, ["bob", "%FF"]) } else { (&self.team, ["crew", "%00"]) };
        let gaps = ["{id}", "{user}", "{session}", "{invitation}"];
        let filled = |path: String| {
            let ids = [id, &self.bob, &self.bob_session, &self.invitation];
            gaps.iter().zip(ids).fold(path, |path, (gap, id)| path.replace(gap, id))
        };
        let nothing = nothing.map(|id| ("{id}", id));
        let nothing = [("{id}", NOBODY)].into_iter().chain(nothing).chain(gaps[1..].iter().map(|gap| (*gap, NOBODY)));
        let nothing = nothing.filter(|(gap, _)| path.contains(gap));
        let mut missing: Vec<_> = nothing.map(|(gap, id)| filled(path.replace(gap, id))).collect();
        let user = if is_on_user { "{id}" } else { "{user}" };
        let of_ada = |session: &str| filled(path.replace(user, &self.ada).replace("{session}", session));
        if path.contains("{session}") {
            missing.extend([of_ada(NOBODY), of_ada(&self.bob_session)]);
        }
        let is_protected = method != "GET" && path.contains(user);
        Operation {
            method: method.parse().unwrap(),
            scope,
            path: filled(path.to_owned()),
            missing,
            protected: is_protected.then(|| of_ada(&self.ada_session)),
            body,
            conflict: self.conflict(method, path),
        }
    }

    fn conflict(&self, method: &str, path: &str) -> Option<Value> {
        Some(match (method, path.strip_prefix("/auth/api/v2/").unwrap()) {
            ("POST", "users") => json!({"email": "BOB@example.com"}),
            ("PATCH", "users/{id}") => json!({"username": "ada"}),
            ("POST", "organizations/{id}/members") => json!({"user_id": self.bob, "role": "member"}),
            ("PATCH", "organizations/{id}/members/{user}") => json!({"role": "member"}),
            ("POST", "organizations/{id}/invitations") => json!({"email": "bob@example.com", "role": "member"}),
            ("DELETE", "users/{id}" | "organizations/{id}/members/{user}") => json!({}),
            _ => return None,
        })
    }
}

async fn operations_look_for_what_is_wrong_in_one_order(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let keys = Keys::new(&app).await;
    let scene = Scene::new(&app, keys.right()).await;
    // Refused keys are counted apart.
    let entries = "SELECT COUNT(*) FROM audit WHERE kind <> 'api_key_refused'";
    let before = app.database().count(entries).await;
    let mut answers = Answers::default();
    let operations = scene.operations();
    for operation in &operations {
        operation.refuse_in_order(&keys, &mut answers).await;
    }
    answers.snapshot("api_refusals/in_order");
    assert_eq!(app.database().count(entries).await, before, "nothing was done");
    scene.administrator.get("/auth/api/v2/session").await.expect(200);
    let sessions = keys.right().get(&format!("{USERS}/{}/sessions", scene.ada)).await.expect(200).json();
    assert_eq!(sessions["data"].as_array().unwrap().len(), 1);
    let mut answers = Answers::default();
    // What is within something else comes after it.
    for Operation { method, path, .. } in operations.iter().rev().filter(|operation| operation.is_bare_act()) {
        answers.heading(&format!("{method} {path}"));
        answers.add("a right request", keys.right().call(method.clone(), path).await);
    }
    answers.snapshot("api_refusals/acts_done");
}

async fn fields_need_their_scope_whatever_stands_in_them(engine: Engine) {
    let app = engine.app().await;
    let bob = app.sign_up("bob@example.com").await;
    let path = format!("{USERS}/{}", user_id(&bob).await);
    let writer = KeyHolder::with(&app, "writer", &["users:write"]).await;
    let mut answers = Answers::default();
    answers.heading("a new user");
    for field in ["password", "roles", "email_verified"] {
        for value in [json!(5), json!("king"), json!(["king"]), json!([]), json!({})] {
            let body = json!({"email": "no address", "color": "red", field: value});
            answers.add(&body.to_string(), writer.post(USERS, &body).await);
        }
        let unset = json!({"email": "no address", field: null});
        answers.add(&unset.to_string(), writer.post(USERS, &unset).await);
    }
    // What the application does not vouch for is what a signup says.
    let claimed = json!({"email": "cy@example.com", "email_verified": false});
    writer.post(USERS, &claimed).await.expect(201);
    answers.heading("a changed user");
    for change in [
        json!({"roles": "king"}),
        json!({"roles": []}),
        // An address is worth a password: its mailbox resets it, past every second factor.
        json!({"email": "thief@example.com"}),
        json!({"email": "bob@example.com"}),
        json!({"email_verified": false}),
        json!({"username": "robert", "email_verified": true}),
        // Only its user changes a password: no scope permits it.
        json!({"password": 5}),
    ] {
        answers.add(&change.to_string(), writer.send(Method::PATCH, &path, &change).await);
    }
    answers.snapshot("api_refusals/fields_without_their_scope");
    let unset = json!({"roles": null, "email": null, "email_verified": null});
    let user = writer.send(Method::PATCH, &path, &unset).await.expect(200).json();
    assert_eq!((&user["email"], &user["username"]), (&json!("bob@example.com"), &json!("bob")));
}

async fn logout_is_refused_in_order(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let path = bad_query("/auth/api/v2/session");
    let log_out = |client: &Client| client.call(Method::DELETE, &path);
    let mut answers = Answers::default();
    answers.add("nobody", log_out(&app.anonymous()).await);
    answers.add("no CSRF token", log_out(&ada).await);
    let csrf = ada.token("csrf").unwrap();
    answers.add("unknown parameters", log_out(&ada).header("x-csrf-token", &csrf).await);
    ada.get("/auth/api/v2/session").await.expect(200);
    let stranger = ada.copy();
    stranger.set_token("access", "no.such.token");
    stranger.set_token("refresh", "no-such-token");
    answers.add("wrong tokens", log_out(&stranger).header("x-csrf-token", &csrf).await);
    answers.snapshot("api_refusals/logout_in_order");
}

/// Whatever a request is refused for, its body is not taken for the next one, which is answered or told that it is not.
async fn megabytes_are_refused_and_leave_a_defined_connection(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let arguments = ["--json", "api-key", "create", "backend", "--scope", "users:write"];
    let output = run_program(&arguments, app.variables()).await;
    let created: Value = serde_json::from_slice(&output.stdout).unwrap();
    let key = created["key"].as_str().unwrap();
    let json = "application/json";
    let next = "GET /auth/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let body = |megabytes: usize| next.repeat((megabytes << 20) / next.len());
    for (method, path, key, content_type, status, code) in [
        ("POST", USERS, key, json, 413, "too_large"),
        ("POST", USERS, key, "text/plain", 415, "unsupported_media_type"),
        ("POST", USERS, "wrong", json, 401, "unauthorized"),
        ("POST", ORGANIZATIONS, key, json, 403, "forbidden"),
        ("PATCH", &format!("{USERS}/{NOBODY}"), key, json, 404, "not_found"),
        ("DELETE", &format!("{USERS}/{NOBODY}"), key, json, 404, "not_found"),
        ("PUT", "/auth/api/v2/session/organization", key, json, 401, "unauthorized"),
    ] {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nContent-Type: {content_type}\r\n"
        );
        for (body, answers) in [(body(1), if status == 413 { 1 } else { 2 }), (body(4), 1)] {
            let known = format!("{head}Content-Length: {}\r\n\r\n{body}{next}", body.len());
            let unknown =
                format!("{head}Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n{next}", body.len());
            for request in [known, unknown] {
                let answer = raw_http(app.address(), request.as_bytes()).await;
                let first = answer.split_inclusive("}}").next().unwrap();
                assert!(first.starts_with(&format!("HTTP/1.1 {status} ")), "{method} {path}: {answer}");
                assert!(first.contains(&format!(r#""code":"{code}""#)), "{method} {path}: {answer}");
                let closes = first.to_lowercase().contains("\r\nconnection: close\r\n");
                assert_eq!(closes, answers == 1, "{method} {path}: {answer}");
                assert_eq!(answer.matches("HTTP/1.1 ").count(), answers, "{method} {path}: {answer}");
            }
        }
    }
}
