//! API v2 for applications' backends: what all changes share, and repeated requests (docs/reference/api-v2.md 18.2 and
//! 18.6).

use crate::api_organizations::{KeyHolder, ORGANIZATIONS};
use crate::harness::{Answers, Call, Client, Engine, Receiver, Reply, TestApp, link_of, run_program};
use crate::organizations::{create_team, user_id};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

both_engines![
    repeated_requests_at_once_make_one_user,
    kept_answers_survive_change_of_secret_key,
    user_is_created_once_however_often_asked,
];
one_engine![
    repeated_request_is_answered_whatever_became_of_its_path,
    repeated_patch_is_done_once,
    bad_requests_are_refused_in_order,
    bad_bodies_are_refused,
    created_user_is_what_signup_makes,
    created_user_sets_password_by_mail,
    deleted_and_created_again_is_mailed_within_limit,
];

const USERS: &str = "/auth/api/v2/users";

/// Runs a command that succeeds, with its JSON.
async fn doorward(app: &TestApp, arguments: &[&str]) -> Value {
    let output = run_program(&[&["--json"], arguments].concat(), app.variables()).await;
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A new key's `Authorization` header.
async fn key(app: &TestApp, name: &str, scopes: &[&str]) -> String {
    let created = doorward(app, &[&["api-key", "create", name, "--scope"], scopes].concat()).await;
    format!("Bearer {}", created["key"].as_str().unwrap())
}

fn post(client: &Client, key: &str, body: &str) -> Call {
    let call = client.call(Method::POST, USERS).header("authorization", key);
    call.header("content-type", "application/json").body(body.to_owned())
}

async fn repeat(client: &Client, key: &str, name: &str, body: &str) -> Reply {
    post(client, key, body).header("idempotency-key", name).await
}

async fn count(app: &TestApp) -> i64 {
    app.database().count("SELECT COUNT(*) FROM users").await
}

async fn user_is_created_once_however_often_asked(engine: Engine) {
    let app = engine.app().await;
    let created = doorward(&app, &["api-key", "create", "backend", "--scope", "users:write"]).await;
    let (id, key) = (created["id"].as_str().unwrap(), format!("Bearer {}", created["key"].as_str().unwrap()));
    let other = self::key(&app, "other", &["users:write"]).await;
    let client = app.anonymous();
    let body = r#"{"email":"ada@example.com","external_id":"7","metadata":{ "b":1.0,"a":[] }}"#;
    // Only what was done is kept.
    repeat(&client, &key, "one", r#"{"email":"no address"}"#).await.expect_error(422, "validation_failed");
    let first = repeat(&client, &key, "one", body).await.snapshot("api_users/created");
    let again = repeat(&client, &key, "one", body).await.snapshot("api_users/created_repeated");
    assert_eq!((first.text(), first.location()), (again.text(), again.location()));
    assert!(first.text().contains(r#"{ "b":1.0,"a":[] }"#), "{}", first.text());
    let spaced = body.replace('7', " 7");
    repeat(&client, &key, "one", &spaced).await.snapshot("api_users/idempotency_mismatch");
    repeat(&client, &key, "two", body).await.snapshot("api_users/email_taken");
    repeat(&client, &other, "one", body).await.expect_error(409, "email_taken");
    let rotated = doorward(&app, &["api-key", "rotate", id, "--overlap", "1h"]).await;
    let rotated = format!("Bearer {}", rotated["key"].as_str().unwrap());
    assert_eq!(repeat(&client, &rotated, "one", body).await.expect(201).text(), first.text());
    assert_eq!(count(&app).await, 1);
    let audited = app.database().texts("SELECT actor FROM audit WHERE kind = 'account_created'").await;
    assert_eq!(audited, ["key:backend"]);
    app.clock().advance(Duration::from_hours(25));
    repeat(&client, &rotated, "one", body).await.expect_error(409, "email_taken");
}

async fn repeated_requests_at_once_make_one_user(engine: Engine) {
    let app = engine.app().await;
    let (key, client) = (key(&app, "backend", &["users:write"]).await, app.anonymous());
    let body = r#"{"email":"ada@example.com"}"#;
    let ask = || repeat(&client, &key, "k", body);
    let replies = tokio::join!(ask(), ask(), ask(), ask());
    for reply in [replies.0, replies.1, replies.2, replies.3] {
        if reply.status != 201 {
            reply.snapshot("api_users/idempotency_in_progress");
        }
    }
    assert_eq!(count(&app).await, 1);
    // One that runs holds the others off; when its process has ended, another takes over, and it cannot commit.
    app.database().execute("UPDATE idempotency_keys SET answer = NULL").await;
    ask().await.snapshot("api_users/idempotency_in_progress");
    app.database().execute("DELETE FROM users").await;
    app.clock().advance(Duration::from_secs(61));
    ask().await.expect(201);
    assert_eq!(ask().await.expect(201).header("idempotency-replayed"), Some("true"));
    // Nothing of a body or an answer can be read in the database.
    let hex = match engine {
        Engine::Sqlite => "SELECT lower(hex(answer)) FROM idempotency_keys",
        Engine::Postgres => "SELECT encode(answer, 'hex') FROM idempotency_keys",
    };
    let kept = app.database().texts(hex).await;
    assert!(kept.len() == 1 && !kept[0].contains("616461") && kept[0].len() > 200, "{kept:?}");
}

async fn repeated_request_is_answered_whatever_became_of_its_path(engine: Engine) {
    let app = engine.app().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let (page, bob_id) = (create_team(&ada, "Crew").await, user_id(&bob).await);
    let team = format!("{ORGANIZATIONS}/{}", page.rsplit('/').next().unwrap());
    let scopes = ["users:write", "users:security", "organizations:write"];
    let backend = KeyHolder::with(&app, "backend", &scopes).await;
    let ask = |path: &str, body: &Value| backend.post(path, body).header("idempotency-key", "one");
    let (invitations, members) = (format!("{team}/invitations"), format!("{team}/members"));
    let new = json!({"email": "cy@example.com", "role": "member", "send_mail": false});
    let invitation = ask(&invitations, &new).await.expect(201).location().to_owned();
    let (resend, reset) = (format!("{invitation}/resend"), format!("{USERS}/{bob_id}/password-reset"));
    let added = json!({"user_id": bob_id, "role": "member"});
    let requests = [(invitations, new), (resend, json!({})), (members, added), (reset, json!({}))];
    let mut first = Vec::new();
    for (path, body) in &requests {
        first.push(ask(path, body).await);
    }
    backend.call(Method::DELETE, &invitation).await.expect(204);
    let output = run_program(&["user", "grant", "bob", "auditor"], app.variables()).await;
    assert!(output.status.success(), "{output:?}");
    backend.call(Method::DELETE, &team).await.expect(204);
    for ((path, body), first) in requests.iter().zip(first) {
        let again = ask(path, body).await.expect(first.status);
        assert!(first.status < 300 && again.header("idempotency-replayed") == Some("true"), "{path}: {}", first.text());
        assert_eq!(again.text(), first.text());
        // Another request is told what has become of it, and so is one that is too late.
        let other = backend.post(path, body).header("idempotency-key", "two").await;
        let code = if path.starts_with(USERS) { (403, "forbidden") } else { (404, "not_found") };
        other.expect_error(code.0, code.1);
        let mended = backend.post(path, &json!({"color": "red"})).header("idempotency-key", "one").await;
        mended.expect_error(code.0, code.1);
    }
    app.clock().advance(Duration::from_hours(25));
    for (path, body) in &requests {
        assert!(ask(path, body).await.status >= 400, "{path}");
    }
}

async fn repeated_patch_is_done_once(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.webhooks(&receiver).start().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let page = create_team(&ada, "Crew").await;
    let team = format!("{ORGANIZATIONS}/{}", page.rsplit('/').next().unwrap());
    let (user, member) = (user_id(&bob).await, format!("{team}/members/{}", user_id(&bob).await));
    let backend = KeyHolder::with(&app, "backend", &["users:write", "organizations:write"]).await;
    backend.post(&format!("{team}/members"), &json!({"user_id": user, "role": "member"})).await.expect(201);
    let user = format!("{USERS}/{user}");
    let ask =
        |key: &str, path: &str, body: &Value| backend.send(Method::PATCH, path, body).header("idempotency-key", key);
    for (path, change, other, event) in [
        (&user, json!({"username": "robert"}), json!({"username": "bobby"}), "user.updated"),
        (&team, json!({"name": "Works"}), json!({"name": "Yard"}), "organization.updated"),
        (&member, json!({"role": "admin"}), json!({"role": "owner"}), "organization.membership.updated"),
    ] {
        let first = ask("one", path, &change).await.expect(200);
        assert_eq!(first.header("idempotency-replayed"), None);
        // It was changed again since; the repeated request must not undo that.
        let now = ask("two", path, &other).await.expect(200).text();
        let again = ask("one", path, &change).await.expect(200);
        assert_eq!((again.header("idempotency-replayed"), again.text()), (Some("true"), first.text()));
        ask("one", path, &other).await.expect_error(409, "idempotency_mismatch");
        ask("a b", path, &other).await.expect_error(400, "invalid_request");
        assert_eq!(ask("three", path, &json!({})).await.expect(200).text(), now, "{path}");
        let events = format!("SELECT COUNT(*) FROM outbox WHERE kind = '{event}'");
        assert_eq!(app.database().count(&events).await, 2, "{event}");
    }
    // A deletion may be repeated as it is.
    let gone = || backend.call(Method::DELETE, &member).header("idempotency-key", "a b");
    gone().await.expect(204);
    gone().await.expect_error(404, "not_found");
}

async fn kept_answers_survive_change_of_secret_key(engine: Engine) {
    let (old, new) = (STANDARD.encode([1; 32]), STANDARD.encode([2; 32]));
    let app = engine.prepare().await.set("SVC_SECRET_KEY", &old).start().await;
    let (key, client) = (key(&app, "backend", &["users:write"]).await, app.anonymous());
    let body = r#"{"email":"ada@example.com"}"#;
    let first = repeat(&client, &key, "k", body).await.expect(201);
    let app = app.restart_with(&[("SVC_SECRET_KEY", &format!("new:{new},old:{old}"))]).await;
    assert!(doorward(&app, &["secrets", "reseal"]).await["resealed"].as_u64().unwrap() > 0);
    let app = app.restart_with(&[("SVC_SECRET_KEY", &new)]).await;
    assert_eq!(repeat(&app.anonymous(), &key, "k", body).await.expect(201).text(), first.text());
}

async fn bad_requests_are_refused_in_order(engine: Engine) {
    let app = engine.app().await;
    let (key, reader) = (key(&app, "writer", &["users:write"]).await, key(&app, "reader", &["users:read"]).await);
    let client = app.anonymous();
    let big = format!("\"{}\"", "a".repeat(70_000));
    let bad = |key: &str, body: &str| post(&client, key, body).header("idempotency-key", "a b");
    let mut answers = Answers::default();
    let call = client.call(Method::PUT, USERS).header("authorization", "Bearer wrong").await;
    answers.add("a wrong method", call);
    answers.add("a wrong key", bad("Bearer wrong", &big).await);
    answers.add("a key without the scope", bad(&reader, &big).await);
    let untyped = client.call(Method::POST, USERS).header("authorization", &key).body(big.clone()).await;
    answers.add("no content type", untyped);
    answers.add("a large body", bad(&key, &big).await);
    answers.add("a wrong idempotency key", bad(&key, r#"{"x":1}"#).await);
    let long = "k".repeat(256);
    for (what, name) in [("an empty one", ""), ("no ASCII", "ä"), ("a tab", "a\tb"), ("a long one", &long)] {
        answers.add(what, repeat(&client, &key, name, r#"{"email":"a@example.com"}"#).await);
    }
    let doubled = post(&client, &key, "{}").header("idempotency-key", "a").also_header("idempotency-key", "a").await;
    answers.add("two of them", doubled);
    for field in [r#""password":"x""#, r#""roles":[]"#] {
        answers.add(field, post(&client, &key, &format!(r#"{{"email":"x",{field}}}"#)).await);
    }
    answers.snapshot("api_users/refused_in_order");
    assert_eq!(count(&app).await, 0);
    repeat(&client, &key, &"k".repeat(255), r#"{"email":"a@example.com"}"#).await.expect(201);
}

async fn bad_bodies_are_refused(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    app.sign_up("ada@example.com").await;
    let key = key(&app, "backend", &["users:write", "users:security", "platform:write"]).await;
    let client = app.anonymous();
    let deep = format!(r#"{{"email":"a@example.com","metadata":{}{}}}"#, r#"{"a":"#.repeat(200), "}".repeat(200));
    let twice = r#"{"email":"a@example.com","email":"b@example.com"}"#;
    let surrogate = r#"{"email":"a@example.com","external_id":"\ud800"}"#;
    let mut answers = Answers::default();
    for body in ["", "[]", "null", "{", twice, surrogate, r#"{"email":"a\u0000@example.com"}"#, &deep] {
        answers.add(&body[..body.len().min(60)], post(&client, &key, body).await);
    }
    let large = format!(r#"{{"a":"{}"}}"#, "x".repeat(5000));
    for (field, value) in [
        ("email", json!(null)),
        ("email", json!("no address")),
        ("email", json!("x@unverified.invalid")),
        ("username", json!("a b")),
        ("username", json!("")),
        ("username", json!("01890000-0000-7000-8000-000000000000")),
        ("password", json!("short")),
        ("external_id", json!("")),
        ("external_id", json!("a\nb")),
        ("metadata", json!([])),
        ("metadata", serde_json::from_str(&large).unwrap()),
        ("roles", json!(["admin"])),
        ("roles", json!("svc:admin")),
        ("email_verified", json!("yes")),
        ("color", json!("red")),
    ] {
        let mut body = json!({"email": "new@example.com"});
        body[field] = value;
        let body = body.to_string();
        answers.add(&body[..body.len().min(80)], post(&client, &key, &body).await);
    }
    for body in [r#"{"email":"ADA@Example.com"}"#, r#"{"email":"new@example.com","username":"Ada"}"#] {
        answers.add(body, post(&client, &key, body).await);
    }
    answers.snapshot("api_users/bad_bodies");
    assert_eq!(count(&app).await, 1);
}

async fn created_user_is_what_signup_makes(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.set("SVC_SIGNUP", "closed").webhooks(&receiver).start().await;
    let scopes = ["users:write", "users:security", "platform:write", "users:read"];
    let (key, client) = (key(&app, "backend", &scopes).await, app.anonymous());
    let body = json!({
        "email": "ada@example.com", "username": "ada.l", "email_verified": true, "password": "a lighthouse in the fog",
        "roles": ["svc:monitor", "svc:auditor"], "external_id": null, "metadata": null,
    });
    let user = post(&client, &key, &body.to_string()).await.snapshot("api_users/created_with_every_field").json();
    let path = format!("{USERS}/{}", user["id"].as_str().unwrap());
    assert_eq!(client.get(&path).header("authorization", &key).await.expect(200).json(), user);
    app.anonymous().log_in("ada@example.com", "a lighthouse in the fog").await.expect(303);
    let kinds = app.database().texts("SELECT kind FROM outbox ORDER BY id").await;
    let events = ["user.created", "organization.created", "organization.membership.created"];
    assert_eq!(kinds, events, "and no mail");
    // Of two with one derived name, the second gets a number.
    let second = post(&client, &key, r#"{"email":"ada.l@example.org"}"#).await;
    second.snapshot("api_users/created_with_derived_name");
}

async fn created_user_sets_password_by_mail(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let (key, client) = (key(&app, "backend", &["users:write"]).await, app.anonymous());
    post(&client, &key, r#"{"email":"ada@example.com","send_mail":true}"#).await.expect(201);
    let link = link_of(&app.mail_to("ada@example.com", "Your account at").await);
    // As long as an invitation.
    app.clock().advance(Duration::from_hours(24));
    let ada = app.anonymous();
    ada.get(&link).await.expect(200);
    // The account has neither password nor passkey, so the page does not ask whose it is.
    ada.post_form(&link, &[("password", "a lighthouse in the fog")]).await.expect(303);
    ada.log_in("ada@example.com", "a lighthouse in the fog").await.expect(303);
    assert_eq!(ada.get("/auth/api/v2/session").await.expect(200).json()["user"]["email_verified"], true);
}

/// Not even a backend floods a stranger.
async fn deleted_and_created_again_is_mailed_within_limit(engine: Engine) {
    let app = engine.app().await;
    let (key, client) = (key(&app, "backend", &["users:write"]).await, app.anonymous());
    let create = || post(&client, &key, r#"{"email":"ada@example.com","send_mail":true}"#);
    for _ in 0..6 {
        let path = create().await.expect(201).location().to_owned();
        client.call(Method::DELETE, &path).header("authorization", &key).await.expect(204);
    }
    create().await.snapshot("api_users/too_many_mails");
    assert_eq!(app.database().count("SELECT count(*) FROM users").await, 0, "nothing is half-made");
}
