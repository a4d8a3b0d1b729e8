//! API v2 for applications' backends (docs/protocol.md 18.7): organizations and their members.

use crate::harness::{Call, Client, Engine, TestApp, run_program};
use crate::organizations::{create_team, user_id};
use reqwest::Method;
use serde_json::{Value, json};

both_engines![
    organizations_are_managed_with_a_key,
    members_are_managed_with_a_key,
    organization_operations_are_refused_in_order,
    last_owner_stays_whatever_the_doors,
    lists_of_an_organization_have_their_own_cursors,
];

pub const ORGANIZATIONS: &str = "/auth/api/v2/organizations";
const NOBODY: &str = "01890000-0000-7000-8000-000000000000";

/// A backend with a key.
pub struct KeyHolder {
    client: Client,
    key: String,
}

impl KeyHolder {
    pub async fn with(app: &TestApp, name: &str, scopes: &[&str]) -> Self {
        let arguments = [&["--json", "api-key", "create", name, "--scope"], scopes].concat();
        let output = run_program(&arguments, app.variables()).await;
        let created: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
        Self { client: app.anonymous(), key: format!("Bearer {}", created["key"].as_str().unwrap()) }
    }

    /// With the scopes of organizations.
    pub async fn of_organizations(app: &TestApp) -> Self {
        Self::with(app, "backend", &["organizations:read", "organizations:write"]).await
    }

    pub fn call(&self, method: Method, path: &str) -> Call {
        self.client.call(method, path).header("authorization", &self.key)
    }

    pub fn get(&self, path: &str) -> Call {
        self.call(Method::GET, path)
    }

    pub fn send(&self, method: Method, path: &str, body: &Value) -> Call {
        self.call(method, path).header("content-type", "application/json").body(body.to_string())
    }

    pub fn post(&self, path: &str, body: &Value) -> Call {
        self.send(Method::POST, path, body)
    }
}

/// The values of a field on a page of a list.
fn column<'a>(page: &'a Value, field: &str) -> Vec<&'a str> {
    page["data"].as_array().unwrap().iter().map(|thing| thing[field].as_str().unwrap()).collect()
}

async fn organizations_are_managed_with_a_key(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let (ada_id, backend) = (user_id(&ada).await, KeyHolder::of_organizations(&app).await);
    let new = json!({"name": " Engine  Works", "owner_id": ada_id});
    let made = backend.post(ORGANIZATIONS, &new).header("idempotency-key", "one").await.expect(201);
    let again = backend.post(ORGANIZATIONS, &new).header("idempotency-key", "one").await.expect(201);
    assert_eq!(again.text(), made.text());
    let (path, team) = (made.location().to_owned(), made.json());
    assert_eq!(path, format!("{ORGANIZATIONS}/{}", team["id"].as_str().unwrap()));
    let whole = json!({
        "id": team["id"], "name": "Engine Works", "kind": "team", "created_by_user_id": ada_id,
        "created_at": team["created_at"], "members": 1,
    });
    assert_eq!(team, whole);
    let shown = backend.get(&path).await.expect(200);
    assert_eq!(shown.header("cache-control"), Some("no-store"));
    assert!(shown.header("access-control-allow-origin").is_none() && shown.header("set-cookie").is_none());
    assert_eq!(shown.json(), team);
    let listed = backend.get(ORGANIZATIONS).await.expect(200).json();
    assert_eq!((column(&listed, "name"), &listed["next"]), (vec!["Engine Works", "ada"], &Value::Null));
    let personal = format!("{ORGANIZATIONS}/{}", listed["data"][1]["id"].as_str().unwrap());
    let renamed = backend.send(Method::PATCH, &path, &json!({"name": "Works"})).await.expect(200).json();
    assert_eq!(renamed["name"], "Works");
    assert_eq!(backend.send(Method::PATCH, &path, &json!({})).await.expect(200).json(), renamed);
    backend.call(Method::DELETE, &personal).await.expect_error(409, "not_in_this_mode");
    backend.call(Method::DELETE, &path).await.expect(204);
    backend.get(&path).await.expect_error(404, "not_found");
    let log = "SELECT kind FROM audit WHERE actor = 'key:backend' AND kind LIKE 'organization%' ORDER BY at, id";
    assert_eq!(
        app.database().texts(log).await,
        ["organization_created", "organization_renamed", "organization_deleted"]
    );
    let activity = ada.get("/auth/account/activity").await.expect(200).text();
    assert!(activity.contains("Organization created") && !activity.contains("backend"), "{activity}");
    // What people may not do where all organizations are personal, a backend may not either.
    let app = app.restart_with(&[("SVC_ORG_MODE", "personal")]).await;
    let backend = KeyHolder::with(&app, "another", &["organizations:write"]).await;
    backend.post(ORGANIZATIONS, &new).await.expect_error(409, "not_in_this_mode");
}

async fn members_are_managed_with_a_key(engine: Engine) {
    let app = engine.app().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let (ada_id, bob_id) = (user_id(&ada).await, user_id(&bob).await);
    let backend = KeyHolder::of_organizations(&app).await;
    let page = create_team(&ada, "Crew").await;
    let members = format!("{ORGANIZATIONS}/{}/members", page.rsplit('/').next().unwrap());
    bob.get(&page).await.expect(404);
    let added = backend.post(&members, &json!({"user_id": bob_id, "role": "member"})).await.expect(201);
    let (bob_path, bob_row) = (added.location().to_owned(), added.json());
    assert_eq!(bob_path, format!("{members}/{bob_id}"));
    let whole = json!({
        "user_id": bob_id, "email": "bob@example.com", "username": "bob", "role": "member",
        "joined_at": bob_row["joined_at"],
    });
    assert_eq!(bob_row, whole);
    bob.get(&page).await.expect(200);
    let twice = backend.post(&members, &json!({"user_id": bob_id, "role": "owner"})).await;
    twice.expect_error(409, "already_member");
    let listed = backend.get(&members).await.expect(200).json();
    assert_eq!((column(&listed, "username"), &listed["data"][0]), (vec!["bob", "ada"], &bob_row));
    let role = |role: &str| json!({"role": role});
    let ada_path = format!("{members}/{ada_id}");
    backend.send(Method::PATCH, &ada_path, &role("member")).await.expect_error(409, "last_owner");
    backend.call(Method::DELETE, &ada_path).await.expect_error(409, "last_owner");
    let promoted = backend.send(Method::PATCH, &bob_path, &role("owner")).await.expect(200).json();
    assert_eq!(promoted["role"], "owner");
    assert_eq!(backend.send(Method::PATCH, &bob_path, &json!({})).await.expect(200).json(), promoted);
    backend.call(Method::DELETE, &ada_path).await.expect(204);
    backend.call(Method::DELETE, &ada_path).await.expect_error(404, "not_found");
    ada.get(&page).await.expect(404);
    let personal = backend.get(ORGANIZATIONS).await.json()["data"][2]["id"].as_str().unwrap().to_owned();
    let guest = json!({"user_id": bob_id, "role": "member"});
    let refused = backend.post(&format!("{ORGANIZATIONS}/{personal}/members"), &guest).await;
    refused.expect_error(409, "not_in_this_mode");
}

async fn organization_operations_are_refused_in_order(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let page = create_team(&ada, "Crew").await;
    let team = format!("{ORGANIZATIONS}/{}", page.rsplit('/').next().unwrap());
    let (member, invitation) = (format!("{team}/members/{NOBODY}"), format!("{team}/invitations/{NOBODY}"));
    let (members, invitations) = (format!("{team}/members"), format!("{team}/invitations"));
    let resend = format!("{invitation}/resend");
    let changes = [
        (Method::POST, ORGANIZATIONS),
        (Method::PATCH, &team),
        (Method::DELETE, &team),
        (Method::POST, &members),
        (Method::PATCH, &member),
        (Method::DELETE, &member),
        (Method::POST, &invitations),
        (Method::POST, &resend),
        (Method::DELETE, &invitation),
    ];
    let reader = KeyHolder::with(&app, "reader", &["organizations:read", "users:read", "users:write"]).await;
    let writer = KeyHolder::with(&app, "writer", &["organizations:write"]).await;
    for (method, path) in &changes {
        ada.call(method.clone(), path).await.expect_error(401, "unauthorized");
        let refused = reader.call(method.clone(), path).await.expect_error(403, "forbidden");
        assert_eq!(refused.json()["error"]["scope"], "organizations:write", "{method} {path}");
    }
    for path in [ORGANIZATIONS, &team, &members, &invitations] {
        ada.get(path).await.expect_error(401, "unauthorized");
        let refused = writer.get(path).await.expect_error(403, "forbidden");
        assert_eq!(refused.json()["error"]["scope"], "organizations:read", "{path}");
        writer.call(Method::PUT, path).await.expect_error(405, "method_not_allowed");
        reader.get(&format!("{path}?colour=red")).await.expect_error(400, "invalid_request");
    }
    // What is not there is said before the body is looked at.
    for (method, path) in &changes[4..] {
        if *path != invitations {
            writer.call(method.clone(), path).await.expect_error(404, "not_found");
        }
    }
    for unknown in [NOBODY, "crew", "%00"] {
        let gone = format!("{ORGANIZATIONS}/{unknown}");
        for path in [gone.clone(), format!("{gone}/members"), format!("{gone}/invitations")] {
            reader.get(&path).await.expect_error(404, "not_found");
        }
        writer.call(Method::PATCH, &gone).await.expect_error(404, "not_found");
        writer.call(Method::DELETE, &gone).await.expect_error(404, "not_found");
    }
    writer.call(Method::PATCH, &team).body("{}").await.expect_error(415, "unsupported_media_type");
    for (path, body, field) in [
        (ORGANIZATIONS, json!({"name": "x"}), "owner_id"),
        (ORGANIZATIONS, json!({"name": "x", "owner_id": NOBODY}), "owner_id"),
        (ORGANIZATIONS, json!({"name": "x", "owner_id": "ada"}), "owner_id"),
        (ORGANIZATIONS, json!({"name": " ", "owner_id": user_id(&ada).await}), "name"),
        (ORGANIZATIONS, json!({"name": "x", "kind": "personal", "owner_id": NOBODY}), "kind"),
        (&members, json!({"user_id": NOBODY, "role": "member"}), "user_id"),
        (&members, json!({"user_id": NOBODY, "role": "king"}), "role"),
    ] {
        let refused = writer.post(path, &body).await.expect_error(422, "validation_failed").json();
        let fields: Vec<&String> = refused["error"]["details"].as_object().unwrap().keys().collect();
        assert_eq!(fields, [field], "{body}");
    }
    let refused = writer.send(Method::PATCH, &team, &json!({"name": "www.example.com"})).await;
    refused.expect_error(422, "validation_failed");
}

/// Two owners go at once, each by two doors.
async fn last_owner_stays_whatever_the_doors(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let (ada_id, bob_id) = (user_id(&ada).await, user_id(&bob).await);
    let backend = KeyHolder::of_organizations(&app).await;
    let owners = "SELECT count(*) FROM memberships m JOIN organizations o ON o.id = m.organization_id \
        WHERE o.kind = 'team' AND m.role = 'owner'";
    for round in 0..4 {
        let page = create_team(&ada, "Crew").await;
        let team = format!("{ORGANIZATIONS}/{}", page.rsplit('/').next().unwrap());
        let (first, second) = (format!("{team}/members/{ada_id}"), format!("{team}/members/{bob_id}"));
        backend.post(&format!("{team}/members"), &json!({"user_id": bob_id, "role": "owner"})).await.expect(201);
        let leave = format!("{page}/leave");
        let (removed, demoted, left, went) = tokio::join!(
            async { backend.call(Method::DELETE, &first).await },
            async { backend.send(Method::PATCH, &second, &json!({"role": "member"})).await },
            ada.post_form(&leave, &[]),
            bob.post_form(&leave, &[]),
        );
        let statuses = [removed.status, demoted.status, left.status, went.status];
        assert!(statuses.iter().all(|status| *status < 500), "{statuses:?}");
        assert_eq!(app.database().count(owners).await, 1, "round {round}: {statuses:?}");
        backend.call(Method::DELETE, &team).await.expect(204);
    }
}

async fn lists_of_an_organization_have_their_own_cursors(engine: Engine) {
    let app = engine.app().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let (backend, bob_id) = (KeyHolder::of_organizations(&app).await, user_id(&bob).await);
    let mut teams = Vec::new();
    for name in ["One", "Two"] {
        let page = create_team(&ada, name).await;
        let team = format!("{ORGANIZATIONS}/{}", page.rsplit('/').next().unwrap());
        let member = json!({"user_id": bob_id, "role": "member"});
        backend.post(&format!("{team}/members"), &member).await.expect(201);
        for email in ["cy@example.com", "dan@example.com"] {
            let new = json!({"email": email, "role": "member", "send_mail": false});
            backend.post(&format!("{team}/invitations"), &new).await.expect(201);
        }
        teams.push(team);
    }
    let lists = [
        (ORGANIZATIONS.to_owned(), "name", vec!["Two", "One", "bob", "ada"]),
        (format!("{}/members", teams[0]), "username", vec!["bob", "ada"]),
        (format!("{}/invitations", teams[0]), "email", vec!["dan@example.com", "cy@example.com"]),
    ];
    for (list, field, expected) in &lists {
        let (mut found, mut next) = (Vec::new(), String::new());
        let first = backend.get(&format!("{list}?limit=1")).await.expect(200).json();
        let cursor = first["next"].as_str().unwrap().to_owned();
        while found.len() < expected.len() {
            let page = backend.get(&format!("{list}?limit=1{next}")).await.expect(200).json();
            found.extend(column(&page, field).into_iter().map(str::to_owned));
            next = page["next"].as_str().map_or(String::new(), |next| format!("&after={next}"));
        }
        assert_eq!((&found, next.as_str()), (&expected.iter().map(ToString::to_string).collect(), ""), "{list}");
        let others = lists.iter().map(|(other, ..)| other.clone()).filter(|other| other != list);
        for other in others.chain([format!("{}/members", teams[1]), format!("{}/invitations", teams[1])]) {
            backend.get(&format!("{other}?after={cursor}")).await.expect_error(400, "invalid_request");
        }
        let other = if cursor.ends_with('A') { 'Q' } else { 'A' };
        let tampered = format!("{list}?after={}{other}", &cursor[..cursor.len() - 1]);
        backend.get(&tampered).await.expect_error(400, "invalid_request");
    }
}
