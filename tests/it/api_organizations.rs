//! API v2 for applications' backends (docs/reference/api-v2.md 18.7): organizations and their members.

use crate::harness::{Answers, Call, Client, Engine, TestApp, run_program};
use crate::organizations::{create_team, user_id};
use reqwest::Method;
use serde_json::{Value, json};

one_engine![
    organizations_are_managed_with_a_key,
    members_are_managed_with_a_key,
    wrong_fields_of_organizations_are_refused,
    last_owner_stays_whatever_the_doors,
    lists_of_an_organization_have_their_own_cursors,
];

pub const ORGANIZATIONS: &str = "/auth/api/v2/organizations";
const NOBODY: &str = "01890000-0000-7000-8000-000000000000";

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
    let create = || backend.post(ORGANIZATIONS, &new).header("idempotency-key", "one");
    let made = create().await.snapshot("api_organizations/created");
    assert_eq!(create().await.snapshot("api_organizations/created_repeated").text(), made.text());
    let path = made.location().to_owned();
    assert_eq!(backend.get(&path).await.snapshot("api_organizations/shown").json(), made.json());
    let listed = backend.get(ORGANIZATIONS).await.snapshot("api_organizations/listed").json();
    let personal = format!("{ORGANIZATIONS}/{}", listed["data"][1]["id"].as_str().unwrap());
    let rename = |change: &Value| backend.send(Method::PATCH, &path, change);
    let renamed = rename(&json!({"name": "Works"})).await.snapshot("api_organizations/renamed");
    assert_eq!(rename(&json!({})).await.expect(200).json(), renamed.json());
    backend.call(Method::DELETE, &personal).await.snapshot("api_organizations/personal_is_not_deleted");
    backend.call(Method::DELETE, &path).await.snapshot("api_organizations/deleted");
    backend.get(&path).await.snapshot("api_organizations/gone");
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
    backend.post(ORGANIZATIONS, &new).await.snapshot("api_organizations/not_in_this_mode");
}

async fn members_are_managed_with_a_key(engine: Engine) {
    let app = engine.app().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let (ada_id, bob_id) = (user_id(&ada).await, user_id(&bob).await);
    let backend = KeyHolder::of_organizations(&app).await;
    let page = create_team(&ada, "Crew").await;
    let members = format!("{ORGANIZATIONS}/{}/members", page.rsplit('/').next().unwrap());
    bob.get(&page).await.expect(404);
    let added = backend.post(&members, &json!({"user_id": bob_id, "role": "member"})).await;
    let bob_path = added.snapshot("api_members/added").location().to_owned();
    bob.get(&page).await.expect(200);
    let twice = backend.post(&members, &json!({"user_id": bob_id, "role": "owner"})).await;
    twice.snapshot("api_members/already_member");
    backend.get(&members).await.snapshot("api_members/listed");
    let role = |role: &str| json!({"role": role});
    let ada_path = format!("{members}/{ada_id}");
    backend.send(Method::PATCH, &ada_path, &role("member")).await.snapshot("api_members/last_owner_stays_owner");
    backend.call(Method::DELETE, &ada_path).await.snapshot("api_members/last_owner_is_not_removed");
    let promoted = backend.send(Method::PATCH, &bob_path, &role("owner")).await.snapshot("api_members/promoted");
    assert_eq!(backend.send(Method::PATCH, &bob_path, &json!({})).await.expect(200).json(), promoted.json());
    backend.call(Method::DELETE, &ada_path).await.snapshot("api_members/removed");
    backend.call(Method::DELETE, &ada_path).await.snapshot("api_members/gone");
    ada.get(&page).await.expect(404);
    let personal = backend.get(ORGANIZATIONS).await.json()["data"][2]["id"].as_str().unwrap().to_owned();
    let guest = json!({"user_id": bob_id, "role": "member"});
    let refused = backend.post(&format!("{ORGANIZATIONS}/{personal}/members"), &guest).await;
    refused.snapshot("api_members/none_added_to_personal");
}

async fn wrong_fields_of_organizations_are_refused(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let page = create_team(&ada, "Crew").await;
    let team = format!("{ORGANIZATIONS}/{}", page.rsplit('/').next().unwrap());
    let members = format!("{team}/members");
    let writer = KeyHolder::with(&app, "writer", &["organizations:write"]).await;
    let mut answers = Answers::default();
    for path in [ORGANIZATIONS, &team, &members] {
        answers.heading(path);
        answers.add("no key", ada.get(path).await);
        answers.add("a wrong method", writer.call(Method::PUT, path).await);
    }
    answers.heading("wrong fields");
    for (path, body) in [
        (ORGANIZATIONS, json!({"name": "x"})),
        (ORGANIZATIONS, json!({"name": "x", "owner_id": NOBODY})),
        (ORGANIZATIONS, json!({"name": "x", "owner_id": "ada"})),
        (ORGANIZATIONS, json!({"name": " ", "owner_id": user_id(&ada).await})),
        (ORGANIZATIONS, json!({"name": "x", "kind": "personal", "owner_id": NOBODY})),
        (&members, json!({"user_id": NOBODY, "role": "member"})),
        (&members, json!({"user_id": NOBODY, "role": "king"})),
    ] {
        answers.add(&body.to_string(), writer.post(path, &body).await);
    }
    let address = json!({"name": "www.example.com"});
    answers.add("an address as name", writer.send(Method::PATCH, &team, &address).await);
    answers.snapshot("api_organizations/wrong_fields");
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
