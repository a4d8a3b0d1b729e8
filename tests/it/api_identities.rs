//! API v2 for applications' backends: the accounts at providers of users (docs/reference/api-v2.md 18.5).

use crate::harness::{Client, Engine, Reply, ScriptedProvider, TempDir, TestApp, eventually, run_program};
use doorward::model::provider::ProviderName;
use reqwest::Method;
use serde_json::{Value, json};
use std::fs;

one_engine![
    user_made_with_an_identity_logs_in_with_it,
    identities_that_cannot_be_connected_make_no_user,
    each_user_of_a_list_has_its_identities,
];

const USERS: &str = "/auth/api/v2/users";

/// Runs a command that succeeds, with its JSON.
async fn doorward(app: &TestApp, arguments: &[&str]) -> Value {
    let output = run_program(&[&["--json"], arguments].concat(), app.variables()).await;
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A service with the provider `dev`, and a backend.
struct Stage {
    app: TestApp,
    provider: ScriptedProvider,
    client: Client,
    key: String,
}

impl Stage {
    async fn new(engine: Engine, scopes: &[&str]) -> Self {
        let (app, provider) = (engine.app().await, ScriptedProvider::start().await);
        let folder = TempDir::new("secret");
        let secret = folder.path().join("secret");
        fs::write(&secret, &provider.client_secret).unwrap();
        let secret = secret.display().to_string();
        let client = ["--issuer", &provider.issuer, "--client-id", &provider.client_id];
        let arguments = ["provider", "add", "dev", "--kind", "oidc", "--client-secret-file", &secret];
        doorward(&app, &[&arguments[..], &client].concat()).await;
        let name = ProviderName::parse("dev").unwrap();
        eventually("the provider is known", async || app.app.store.providers().await.unwrap().find(&name)).await;
        let created = doorward(&app, &[&["api-key", "create", "backend", "--scope"], scopes].concat()).await;
        let (client, key) = (app.anonymous(), format!("Bearer {}", created["key"].as_str().unwrap()));
        Self { app, provider, client, key }
    }

    fn identity(&self, subject: &str) -> Value {
        json!({"issuer": self.provider.issuer, "subject": subject})
    }

    async fn create(&self, name: &str, identities: &Value) -> Reply {
        let body = json!({"email": format!("{name}@example.com"), "email_verified": false, "identities": identities});
        let call = self.client.call(Method::POST, USERS).header("authorization", &self.key);
        call.header("content-type", "application/json").body(body.to_string()).await
    }

    async fn get(&self, path: &str) -> Reply {
        self.client.get(path).header("authorization", &self.key).await.expect(200)
    }

    async fn users(&self) -> i64 {
        self.app.database().count("SELECT COUNT(*) FROM users").await
    }
}

const SCOPES: [&str; 3] = ["users:read", "users:write", "users:security"];

async fn user_made_with_an_identity_logs_in_with_it(engine: Engine) {
    let stage = Stage::new(engine, &SCOPES).await;
    let made = stage.create("ada", &json!([stage.identity("ada")])).await.snapshot("api_users/made_with_identity");
    let user = made.json();
    let shown = stage.get(&format!("{USERS}/{}", user["id"].as_str().unwrap())).await.json();
    assert_eq!(shown["identities"], user["identities"]);
    assert_eq!(doorward(&stage.app, &["user", "show", "ada"]).await["identities"], user["identities"]);
    let listed = doorward(&stage.app, &["user", "identities", "list", "ada"]).await;
    assert_eq!(listed["data"], user["identities"], "one record");
    let audited = "SELECT actor FROM audit WHERE kind = 'identity_connected'";
    assert_eq!(stage.app.database().texts(audited).await, ["key:backend"]);
    let ada = stage.app.anonymous();
    let begun = ada.get("/auth/login/with/dev?login_hint=ada").await.expect(303);
    let fields = stage.provider.visit(begun.location()).await;
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    ada.get(&format!("/auth/login/with/dev/return?{query}")).await.expect(303);
    assert_eq!(ada.api_user().await.expect(200).json()["id"], user["id"]);
    let after = stage.get(&format!("{USERS}/{}", user["id"].as_str().unwrap())).await.json();
    assert!(after["identities"][0]["last_used_at"].is_string(), "{after}");
}

async fn identities_that_cannot_be_connected_make_no_user(engine: Engine) {
    let stage = Stage::new(engine, &SCOPES).await;
    stage.create("ada", &json!([stage.identity("ada")])).await.expect(201);
    stage.create("bob", &json!([stage.identity("ada")])).await.snapshot("api_users/identity_taken");
    let other = json!({"issuer": format!("{}/", stage.provider.issuer), "subject": "bob"});
    stage.create("bob", &json!([stage.identity("bob"), other])).await.snapshot("api_users/identity_unknown_issuer");
    let twice = json!([stage.identity("bob"), stage.identity("bob")]);
    stage.create("bob", &twice).await.snapshot("api_users/identity_twice");
    stage.create("bob", &json!([stage.identity("")])).await.snapshot("api_users/identity_wrong_subject");
    let many: Vec<Value> = (0..21).map(|number| stage.identity(&number.to_string())).collect();
    stage.create("bob", &json!(many)).await.snapshot("api_users/identities_too_many");
    for wrong in [json!({}), json!([{}]), json!(["bob"]), json!([{"issuer": "a", "subject": "b", "provider": "dev"}])] {
        stage.create("bob", &wrong).await.expect_error(422, "validation_failed");
    }
    assert_eq!(stage.users().await, 1);
    let created = doorward(&stage.app, &["api-key", "create", "other", "--scope", "users:write"]).await;
    let other = Stage { key: format!("Bearer {}", created["key"].as_str().unwrap()), ..stage };
    other.create("bob", &json!([other.identity("bob")])).await.snapshot("api_users/identity_missing_scope");
    assert_eq!(other.users().await, 1);
    other.create("bob", &json!([])).await.expect(201);
    other.create("cy", &Value::Null).await.expect(201);
}

async fn each_user_of_a_list_has_its_identities(engine: Engine) {
    let stage = Stage::new(engine, &SCOPES).await;
    for number in 0..9 {
        stage.create(&format!("user{number}"), &json!([])).await.expect(201);
    }
    for (name, subjects) in [("ada", vec!["1", "2"]), ("bob", vec![]), ("cy", vec!["3"])] {
        let identities: Vec<Value> = subjects.iter().map(|subject| stage.identity(subject)).collect();
        stage.create(name, &json!(identities)).await.expect(201);
    }
    let list = async |query: &str| {
        let page = stage.get(&format!("{USERS}{query}")).await.json();
        let subjects = |user: &Value| {
            let identities = user["identities"].as_array().unwrap();
            identities.iter().map(|identity| identity["subject"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        page["data"].as_array().unwrap().iter().map(subjects).collect::<Vec<_>>()
    };
    assert_eq!(list("?limit=3").await, [vec!["3"], vec![], vec!["1", "2"]]);
    assert_eq!(list("?query=ada").await, [["1", "2"]]);
    assert_eq!(list("?email=cy%40example.com").await, [["3"]]);
    // Background tasks ask, too, but not during each of several lists.
    let statements = async |limit: u32| {
        let mut fewest = u64::MAX;
        for _ in 0..10 {
            let before = stage.app.app.store.statements();
            list(&format!("?limit={limit}")).await;
            fewest = fewest.min(stage.app.app.store.statements() - before);
        }
        fewest
    };
    assert_eq!(statements(12).await, statements(1).await, "no statement for each user");
}
