//! API v2 for applications' backends: users are changed, deleted and logged out (docs/reference/api-v2.md 18.5).

use crate::harness::{Answers, Client, Engine, PASSWORD, Receiver, Reply, TestApp, backend, link_of, run_program};
use crate::invitations::invite;
use crate::organizations::create_team;
use doorward::domain::change;
use doorward::domain::session::active::{EndSessions, Which};
use doorward::model::api_key::Scope;
use doorward::model::ids::{SessionId, UserId};
use doorward::refusal::{ChangeError, Refusal, Rule};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

both_engines![last_administrator_stays_by_every_door_at_once, two_changes_at_once_are_both_made,];
one_engine![
    every_field_of_user_is_changed,
    change_of_email_ends_links_and_tells_old_address,
    refused_changes_change_nothing,
    sessions_of_administrators_are_shown_to_keys_without_scope,
    sessions_of_new_administrator_are_protected,
    deleted_user_is_gone,
    sessions_are_listed_and_ended,
    password_and_second_factor_are_reset,
];

const USERS: &str = "/auth/api/v2/users";
const NOBODY: &str = "01890000-0000-7000-8000-000000000000";
const ALL: [&str; 4] = ["users:read", "users:write", "users:security", "platform:write"];

struct Backend {
    client: Client,
    key: String,
}

impl Backend {
    async fn new(app: &TestApp, name: &str, scopes: &[&str]) -> Self {
        let arguments = [&["--json", "api-key", "create", name, "--scope"], scopes].concat();
        let output = run_program(&arguments, app.variables()).await;
        let created: Value = serde_json::from_slice(&output.stdout).unwrap();
        Self { client: app.anonymous(), key: format!("Bearer {}", created["key"].as_str().unwrap()) }
    }

    async fn call(&self, method: Method, path: &str) -> Reply {
        self.client.call(method, path).header("authorization", &self.key).await
    }

    async fn get(&self, path: &str) -> Value {
        self.call(Method::GET, path).await.expect(200).json()
    }

    async fn patch(&self, path: &str, body: &Value) -> Reply {
        let call = self.client.call(Method::PATCH, path).header("authorization", &self.key);
        call.header("content-type", "application/json").body(body.to_string()).await
    }

    async fn delete(&self, path: &str) -> Reply {
        self.call(Method::DELETE, path).await
    }
}

async fn path_of(client: &Client) -> String {
    format!("{USERS}/{}", client.api_user().await.expect(200).json()["id"].as_str().unwrap())
}

async fn grant(app: &TestApp, user: &str, role: &str) {
    let output = run_program(&["user", "grant", user, role], app.variables()).await;
    assert!(output.status.success(), "{output:?}");
}

async fn updates(app: &TestApp) -> i64 {
    app.database().count("SELECT COUNT(*) FROM outbox WHERE kind = 'user.updated'").await
}

async fn every_field_of_user_is_changed(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.webhooks(&receiver).start().await;
    let ada = app.sign_up("ada@example.com").await;
    let (backend, path) = (Backend::new(&app, "backend", &ALL).await, path_of(&ada).await);
    let before = backend.get(&path).await;
    assert_eq!(backend.patch(&path, &json!({})).await.expect(200).json(), before);
    assert_eq!(updates(&app).await, 0, "nothing changed");
    assert_eq!(backend.patch(&path, &json!({"email_verified": true})).await.expect(200).json()["email_verified"], true);
    assert_eq!(updates(&app).await, 0, "verification alone is no event");
    let body = json!({
        "email": "Ada@example.org", "email_verified": true, "username": "countess", "roles": ["svc:monitor"],
        "external_id": "7", "metadata": {"plan": "gold"},
    });
    backend.patch(&path, &body).await.snapshot("api_users/changed");
    assert_eq!(updates(&app).await, 1, "one event for one change");
    assert_eq!(ada.get("/auth/api/v2/session").await.expect(200).json()["user"]["username"], "countess");
    let cleared = json!({"external_id": null, "metadata": null, "username": null, "roles": []});
    backend.patch(&path, &cleared).await.snapshot("api_users/cleared");
    backend.patch(&path, &json!({"email_verified": false})).await.expect(200);
    backend.patch(&path, &json!({"disabled": true})).await.expect(200);
    ada.get("/auth/api/v2/session").await.expect_error(401, "unauthorized");
    backend.patch(&path, &json!({"disabled": false, "email": "Ada@example.org"})).await.expect(200);
    app.anonymous().log_in("ada@example.org", PASSWORD).await.expect(303);
    let actors = "SELECT kind FROM audit WHERE actor = 'key:backend' ORDER BY kind";
    let kinds = [
        "account_disabled",
        "account_enabled",
        "details_changed",
        "details_changed",
        "details_changed",
        "email_changed",
        "email_verified",
        "roles_changed",
        "roles_changed",
        "username_changed",
    ];
    assert_eq!(app.database().texts(actors).await, kinds);
}

async fn change_of_email_ends_links_and_tells_old_address(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up_verified("ada@example.com").await;
    let (backend, path) = (Backend::new(&app, "backend", &ALL).await, path_of(&ada).await);
    backend.call(Method::POST, &format!("{path}/password-reset")).await.expect(202);
    let link = link_of(&app.mail_to("ada@example.com", "Reset your password").await);
    backend.patch(&path, &json!({"email": "new@example.com"})).await.snapshot("api_users/email_changed");
    app.anonymous().get(&link).await.expect(404);
    app.mail_to("ada@example.com", "Your email address was changed").await;
    assert!(app.mails_to("new@example.com").await.is_empty(), "nobody verified the new one");
    // An address that was not verified is not told.
    backend.patch(&path, &json!({"email": "newer@example.com", "email_verified": true})).await.expect(200);
    assert!(app.mails_to("new@example.com").await.is_empty());
    // The old address is free at once.
    app.sign_up_verified("ada@example.com").await;
}

async fn refused_changes_change_nothing(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    app.sign_up("bob@example.com").await;
    let (backend, path) = (Backend::new(&app, "backend", &ALL).await, path_of(&ada).await);
    let before = backend.get(&path).await;
    let mut answers = Answers::default();
    for body in [
        json!({"username": "new", "email": "BOB@example.com"}),
        json!({"email": "new@example.com", "username": "Bob"}),
        json!({"username": "new", "email": "x"}),
        json!({"username": "new", "external_id": ""}),
        json!({"username": "new", "roles": ["svc:king"]}),
        json!({"username": "new", "disabled": "yes"}),
        json!({"username": "new", "password": PASSWORD}),
        json!([]),
    ] {
        answers.add(&body.to_string(), backend.patch(&path, &body).await);
    }
    answers.add("?x=1", backend.patch(&format!("{path}?x=1"), &json!({"username": "new"})).await);
    answers.snapshot("api_users/refused_changes");
    assert_eq!(backend.get(&path).await, before);
}

/// What they are protected from is in `tests/it/api_refusals.rs`.
async fn sessions_of_administrators_are_shown_to_keys_without_scope(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    grant(&app, "ada", "auditor").await;
    let backend = Backend::new(&app, "backend", &["users:read", "users:write", "users:security"]).await;
    let sessions = format!("{}/sessions", path_of(&ada).await);
    assert_eq!(backend.get(&sessions).await["data"].as_array().unwrap().len(), 1);
}

/// The role is given after the request was looked at, and before it is done.
async fn sessions_of_new_administrator_are_protected(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let own = ada.get("/auth/api/v2/session").await.expect(200).json();
    let id = |thing: &str| Uuid::parse_str(own[thing]["id"].as_str().unwrap()).unwrap();
    let (user, session) = (UserId(id("user")), SessionId(id("session")));
    let untrusted = backend(&[Scope::UsersSecurity]);
    grant(&app, "ada", "monitor").await;
    for which in [Which::One(session), Which::AllBut(session), Which::All] {
        let refused = change::run(&app.app, &untrusted, EndSessions { user, which }).await;
        assert!(matches!(refused, Err(ChangeError::Refused(Refusal::Rule(Rule::Protected, _)))), "{refused:?}");
    }
    ada.get("/auth/api/v2/session").await.expect(200);
    let trusted = backend(&[Scope::UsersSecurity, Scope::PlatformWrite]);
    let change = EndSessions { user, which: Which::All };
    assert_eq!(change::run(&app.app, &trusted, change).await.unwrap(), 1);
}

async fn last_administrator_stays_by_every_door_at_once(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    grant(&app, "ada", "admin").await;
    grant(&app, "bob", "admin").await;
    let backend = Backend::new(&app, "backend", &ALL).await;
    let (ada_path, bob_path) = (path_of(&ada).await, path_of(&bob).await);
    let (demote, disable) = (json!({"roles": ["svc:auditor"]}), json!({"disabled": true}));
    let arguments = ["user", "revoke", "bob", "admin"];
    let (by_key, by_key_too, by_command, by_page) = tokio::join!(
        backend.patch(&ada_path, &demote),
        backend.patch(&bob_path, &disable),
        run_program(&arguments, app.variables()),
        ada.post_form("/auth/account/delete", &[("password", PASSWORD)]),
    );
    let admins = "SELECT COUNT(*) FROM users WHERE roles LIKE 'admin%' AND disabled_at IS NULL";
    let outcome = (by_key.status, by_key_too.status, by_command.status.code(), by_page.status);
    assert_eq!(app.database().count(admins).await, 1, "{outcome:?}");
    let last = backend.get(USERS).await["data"].as_array().unwrap().iter().find_map(|user| {
        let is_admin = user["roles"].to_string().contains("svc:admin") && user["disabled"] == false;
        is_admin.then(|| format!("{USERS}/{}", user["id"].as_str().unwrap()))
    });
    let last = last.unwrap();
    backend.patch(&last, &demote).await.snapshot("api_users/last_admin_stays");
    backend.patch(&last, &disable).await.snapshot("api_users/last_admin_stays");
    backend.delete(&last).await.snapshot("api_users/last_admin_is_not_deleted");
}

async fn two_changes_at_once_are_both_made(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (backend, path) = (Backend::new(&app, "backend", &ALL).await, path_of(&ada).await);
    let (one, other) =
        (json!({"external_id": "7", "metadata": {"a": 1}}), json!({"username": "countess", "metadata": {"b": 2}}));
    let (first, second) = tokio::join!(backend.patch(&path, &one), backend.patch(&path, &other));
    let (first, second) = (first.expect(200).json(), second.expect(200).json());
    let user = backend.get(&path).await;
    assert_eq!((&user["external_id"], &user["username"]), (&json!("7"), &json!("countess")));
    assert!(user == first || user == second, "the last one shows both: {user}");
}

async fn deleted_user_is_gone(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.webhooks(&receiver).start().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let team = create_team(&ada, "Crew").await;
    let link = invite(&ada, &team, "bob@example.com", "member").await;
    bob.post_form(&format!("{link}/accept"), &[]).await.expect(303);
    let backend = Backend::new(&app, "backend", &ALL).await;
    let (ada_path, bob_path) = (path_of(&ada).await, path_of(&bob).await);
    backend.delete(&ada_path).await.snapshot("api_users/last_owner_is_not_deleted");
    backend.delete(&bob_path).await.snapshot("api_users/deleted");
    backend.delete(&bob_path).await.expect_error(404, "not_found");
    bob.get("/auth/api/v2/session").await.expect_error(401, "unauthorized");
    backend.delete(&ada_path).await.expect(204);
    let deleted = app.database().texts("SELECT kind FROM outbox WHERE kind LIKE '%.deleted'").await;
    assert_eq!(deleted.iter().filter(|kind| *kind == "user.deleted").count(), 2, "{deleted:?}");
}

async fn sessions_are_listed_and_ended(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (backend, path) = (Backend::new(&app, "backend", &ALL).await, path_of(&ada).await);
    let other = app.anonymous();
    other.log_in("ada@example.com", PASSWORD).await.expect(303);
    let sessions = format!("{path}/sessions");
    let listed = backend.call(Method::GET, &sessions).await.snapshot("api_users/sessions").json();
    let session = &listed["data"][0];
    let own = other.get("/auth/api/v2/session").await.expect(200).json();
    for name in ["id", "created_at", "authenticated_at", "expires_at", "methods"] {
        assert_eq!(session[name], own["session"][name], "{name}");
    }
    assert_eq!(session["organization_id"], own["organization"]["id"]);
    let first = backend.get(&format!("{sessions}?limit=1")).await;
    let next = first["next"].as_str().unwrap();
    let second = backend.get(&format!("{sessions}?limit=1&after={next}")).await;
    assert_eq!(json!([first["data"][0], second["data"][0]]), listed["data"]);
    assert_eq!(second["next"], Value::Null);
    let one = format!("{sessions}/{}", session["id"].as_str().unwrap());
    backend.delete(&one).await.snapshot("api_users/session_ended");
    backend.delete(&one).await.expect_error(404, "not_found");
    backend.delete(&format!("{sessions}/{NOBODY}")).await.expect_error(404, "not_found");
    other.get("/auth/api/v2/session").await.expect_error(401, "unauthorized");
    ada.get("/auth/api/v2/session").await.expect(200);
    backend.delete(&sessions).await.expect(204);
    ada.get("/auth/api/v2/session").await.expect_error(401, "unauthorized");
    assert_eq!(backend.get(&sessions).await["data"], json!([]));
    backend.delete(&sessions).await.expect(204);
}

async fn password_and_second_factor_are_reset(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (backend, path) = (Backend::new(&app, "backend", &ALL).await, path_of(&ada).await);
    let reset = format!("{path}/password-reset");
    let ask = |body: &'static str| {
        let call = backend.client.call(Method::POST, &reset).header("authorization", &backend.key);
        call.header("content-type", "application/json").header("idempotency-key", "k").body(body)
    };
    ask(r#"{"email":"x"}"#).await.snapshot("api_users/password_reset_with_field");
    ask("{}").await.snapshot("api_users/password_reset");
    ask("{}").await.snapshot("api_users/password_reset_repeated");
    assert_eq!(app.mails_to("ada@example.com").await.len(), 1, "mailed once");
    for _ in 0..10 {
        backend.call(Method::POST, &reset).await;
    }
    backend.call(Method::POST, &reset).await.snapshot("api_users/too_many_password_resets");
    ada.turn_on_two_factor(&app).await;
    assert_eq!(backend.get(&path).await["two_factor"], true);
    backend.delete(&format!("{path}/two-factor")).await.expect(204);
    assert_eq!(backend.get(&path).await["two_factor"], false);
    ada.get("/auth/api/v2/session").await.expect_error(401, "unauthorized");
    backend.delete(&format!("{path}/two-factor")).await.expect(204);
    // A phone without a second factor is lost as well.
    let lost = app.anonymous();
    lost.log_in("ada", PASSWORD).await.expect(303);
    backend.delete(&format!("{path}/two-factor")).await.expect(204);
    lost.get("/auth/api/v2/session").await.expect_error(401, "unauthorized");
    let audited = app.database().texts("SELECT kind FROM audit WHERE actor = 'key:backend' ORDER BY kind").await;
    for kind in ["totp_disabled", "sessions_ended"] {
        assert_eq!(audited.iter().filter(|audited| *audited == kind).count(), 1, "{audited:?}");
    }
}
