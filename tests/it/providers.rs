//! Providers that people log in with: the records of operators, the file of providers, and what the database keeps of
//! identities and of logins that were begun.

use crate::backup::with_new_database;
use crate::harness::{
    Engine, Process, TempDir, TestApp, advance_tokio_clock, begin, eventually, on_one_thread, run_program,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use doorward::domain::account::operator;
use doorward::domain::provider::secret::ProviderSecret;
use doorward::model::hex;
use doorward::model::ids::{IdentityId, UserId};
use doorward::model::principal::{Operation, Principal};
use doorward::model::provider::ProviderName;
use doorward::store::{NewIdentity, ProviderLoginRow};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;
use tokio::task::JoinSet;
use uuid::Uuid;

both_engines![change_is_seen_by_every_process_within_a_second, restored_database_names_what_lives_again,];
one_engine![
    removed_provider_ends_the_sessions_that_it_began,
    secret_is_sealed_and_moves_to_another_key,
    lost_key_names_providers_without_secret,
    file_is_applied_once_in_its_order,
    records_may_exchange_their_clients,
    twenty_providers_are_the_most,
    file_is_applied_at_each_start,
    login_is_claimed_once_by_its_browser,
    identity_belongs_to_one_user,
];
single_run![wrong_file_stops_the_start];

const SECRET: &str = "s3cret-of-the-client";

/// Runs a command that succeeds, with its JSON.
async fn doorward(variables: &BTreeMap<String, String>, arguments: &[&str]) -> Value {
    let output = run_program(&[&["--json"], arguments].concat(), variables).await;
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn name(text: &str) -> ProviderName {
    ProviderName::parse(text).unwrap()
}

async fn user_id(app: &TestApp, username: &str) -> UserId {
    operator::find(&app.app.store, &Principal::operator(), username).await.unwrap().id
}

fn folder() -> TempDir {
    let folder = TempDir::new("providers");
    fs::write(folder.path().join("secret"), format!("{SECRET}\n")).unwrap();
    folder
}

async fn add(app: &TestApp, folder: &TempDir, name: &str) -> Value {
    let secret = folder.path().join("secret").display().to_string();
    let client = format!("client-of-{name}");
    let arguments = ["provider", "add", name, "--client-id", &client, "--client-secret-file", &secret];
    let oidc = ["--kind", "oidc", "--issuer", "https://id.example.com"];
    let given = if name == "google" { arguments.to_vec() } else { [&arguments[..], &oidc].concat() };
    doorward(app.variables(), &given).await
}

/// The names in a process's memory, in their order.
async fn known(app: &TestApp) -> Vec<String> {
    app.app.store.providers().await.unwrap().iter().map(|row| row.provider.name.to_string()).collect()
}

async fn change_is_seen_by_every_process_within_a_second(engine: Engine) {
    on_one_thread(async move || {
        let folder = folder();
        let app = engine.app().await;
        let other = app.second_process().await;
        assert_eq!([known(&app).await, known(&other).await].concat(), [""; 0]);
        add(&app, &folder, "google").await;
        let added = add(&app, &folder, "corp").await;
        let base = &app.app.settings.server.base_url;
        assert_eq!(added["redirect_uri"], format!("{}/auth/login/with/corp/return", base.as_str()));
        for process in [&app, &other] {
            advance_tokio_clock(Duration::from_secs(1)).await;
            assert_eq!(known(process).await, ["google", "corp"]);
        }
        let before = app.app.store.statements();
        for _ in 0..100 {
            known(&app).await;
        }
        // What the background asks meanwhile is counted too.
        assert!(app.app.store.statements() - before < 10, "the list is in memory");
        let revision = async |process: &TestApp| {
            let list = process.app.store.providers().await.unwrap();
            let row = list.find(&name("corp")).unwrap();
            (row.provider.label.clone(), row.revision)
        };
        let first = revision(&other).await;
        doorward(app.variables(), &["provider", "update", "corp", "--label", "Example Corp"]).await;
        advance_tokio_clock(Duration::from_secs(1)).await;
        let labelled = revision(&other).await;
        assert_eq!(
            (labelled.0.as_str(), labelled.1),
            ("Example Corp", first.1),
            "a label ends no login that was begun"
        );
        doorward(app.variables(), &["provider", "update", "corp", "--scopes", "openid email"]).await;
        advance_tokio_clock(Duration::from_secs(1)).await;
        assert!(revision(&other).await.1 > first.1);
    })
    .await;
}

async fn removed_provider_ends_the_sessions_that_it_began(engine: Engine) {
    on_one_thread(async move || {
        let folder = folder();
        let app = engine.app().await;
        add(&app, &folder, "corp").await;
        let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
        let (ada_id, bob_id) = (user_id(&app, "ada").await, user_id(&app, "bob").await);
        let mut tx = begin(&app.app.store).await;
        for (user, subject) in [(ada_id, "1"), (bob_id, "2")] {
            let id = IdentityId(Uuid::from_u128(subject.parse().unwrap()));
            let corp = name("corp");
            let new = NewIdentity {
                id,
                user_id: user,
                issuer: "https://id.example.com",
                subject,
                provider: &corp,
                email: None,
            };
            assert!(tx.identity_create(&new).await.unwrap());
        }
        tx.commit().await.unwrap();
        let began =
            "UPDATE sessions SET provider = 'corp' WHERE user_id = (SELECT id FROM users WHERE username_key = 'ada')";
        app.database().execute(began).await;
        for client in [&ada, &bob] {
            client.api_user().await.expect(200);
        }
        let removed = doorward(app.variables(), &["provider", "remove", "corp", "--yes"]).await;
        assert_eq!(removed, json!({"name": "corp", "changed": true, "sessions_ended": 1}));
        advance_tokio_clock(Duration::from_secs(1)).await;
        ada.api_user().await.expect(401);
        bob.api_user().await.expect(200);
        assert_eq!(app.database().count("SELECT COUNT(*) FROM identities").await, 2);
        let reason = app.database().texts("SELECT end_reason FROM sessions WHERE provider = 'corp'").await;
        assert_eq!(reason, ["provider_removed"]);
    })
    .await;
}

async fn opened(app: &TestApp, provider: &str) -> String {
    let find = async || app.app.store.providers().await.unwrap().find(&name(provider));
    let row = eventually("the provider is known", find).await;
    match ProviderSecret::open(&app.app.secret_keys, &row) {
        Ok(Some(ProviderSecret::Client(secret))) => secret.expose_secret().to_owned(),
        other => panic!("{other:?}"),
    }
}

async fn secret_is_sealed_and_moves_to_another_key(engine: Engine) {
    let folder = folder();
    let (first, second) = (STANDARD.encode([1; 32]), STANDARD.encode([2; 32]));
    let app = engine.prepare().await.set("SVC_SECRET_KEY", &first).start().await;
    let added = add(&app, &folder, "google").await;
    assert!(!added.to_string().contains(SECRET), "{added}");
    assert_eq!(opened(&app, "google").await, SECRET, "one line end is cut");
    let stored = match engine {
        Engine::Sqlite => "SELECT lower(hex(secret)) FROM providers",
        Engine::Postgres => "SELECT encode(secret, 'hex') FROM providers",
    };
    let audited = app.database().texts("SELECT actor || detail || fields FROM audit").await;
    assert!(audited.iter().all(|text| !text.contains(SECRET)), "{audited:?}");
    let stored = app.database().texts(stored).await;
    assert!(stored.len() == 1 && !stored[0].contains(&hex::encode(SECRET.as_bytes())));
    let app = app.restart_with(&[("SVC_SECRET_KEY", &format!("new:{second},old:{first}"))]).await;
    doorward(app.variables(), &["secrets", "reseal"]).await;
    assert_eq!(doorward(app.variables(), &["secrets", "reseal"]).await["resealed"], 0);
    let app = app.restart_with(&[("SVC_SECRET_KEY", &second)]).await;
    assert_eq!(opened(&app, "google").await, SECRET);
}

async fn lost_key_names_providers_without_secret(engine: Engine) {
    let folder = folder();
    let mut app = engine.app().await;
    add(&app, &folder, "google").await;
    app.stop().await;
    let mut variables = app.variables().clone();
    variables.insert("SVC_SECRET_KEY".to_owned(), STANDARD.encode([9; 32]));
    let reset = doorward(&variables, &["secrets", "reset", "--yes"]).await;
    assert_eq!(reset["providers_without_secret"], json!(["google"]));
    let shown = doorward(&variables, &["provider", "show", "google"]).await;
    assert_eq!(shown["has_secret"], false);
    let secret = folder.path().join("secret").display().to_string();
    let update = ["provider", "update", "google", "--client-secret-file", &secret];
    let updated = doorward(&variables, &update).await;
    assert_eq!((&updated["changed"], &updated["has_secret"]), (&json!(true), &json!(true)));
    assert_eq!(doorward(&variables, &update).await["changed"], false);
}

async fn restored_database_names_what_lives_again(engine: Engine) {
    let folder = folder();
    let mut app = engine.app().await;
    add(&app, &folder, "corp").await;
    add(&app, &folder, "google").await;
    app.sign_up("ada@example.com").await;
    let user_id = user_id(&app, "ada").await;
    let mut tx = begin(&app.app.store).await;
    let (id, corp) = (IdentityId(Uuid::from_u128(1)), name("corp"));
    let issuer = "https://id.example.com";
    let new = NewIdentity { id, user_id, issuer, subject: "ada", provider: &corp, email: None };
    assert!(tx.identity_create(&new).await.unwrap());
    tx.commit().await.unwrap();
    app.stop().await;
    let file = folder.path().join("backup").display().to_string();
    let (variables, restore) = match engine {
        Engine::Sqlite => {
            doorward(app.variables(), &["backup", &file]).await;
            (with_new_database(app.variables(), &folder), ["restore", &file, "--yes"])
        }
        // The database is as `pg_restore` would leave it.
        Engine::Postgres => (app.variables().clone(), ["restore", "--loaded", "--yes"]),
    };
    let restored = doorward(&variables, &restore).await;
    let living = json!([{"name": "corp", "identities": 1}, {"name": "google", "identities": 0}]);
    assert_eq!(restored["providers"], living);
}

fn table(name: &str, client: &str) -> String {
    format!(
        "[[provider]]\nname = \"{name}\"\nkind = \"oidc\"\nissuer = \"https://id.example.com\"\nclient_id = \"{client}\"\n\
         client_secret_file = \"secret\"\n"
    )
}

/// Applies a file of these tables, and returns what was printed.
async fn apply(app: &TestApp, folder: &TempDir, tables: &[String], options: &[&str]) -> Value {
    let file = folder.path().join("providers.toml");
    fs::write(&file, tables.concat()).unwrap();
    let file = file.display().to_string();
    doorward(app.variables(), &[&["apply", &file, "--yes"], options].concat()).await
}

async fn order(app: &TestApp) -> Vec<String> {
    let listed = doorward(app.variables(), &["provider", "list"]).await;
    listed["data"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

async fn file_is_applied_once_in_its_order(engine: Engine) {
    let folder = folder();
    let app = engine.app().await;
    add(&app, &folder, "other").await;
    let (one, two) = (table("one", "1"), table("two", "2"));
    let applied = apply(&app, &folder, &[one.clone(), two.clone()], &[]).await;
    let added = |name| json!({"name": name, "change": "add"});
    assert_eq!(applied["changes"], json!([added("one"), added("two")]));
    assert_eq!(order(&app).await, ["one", "two", "other"], "those of the file stand first");
    let audited = app.database().count("SELECT COUNT(*) FROM audit").await;
    let again = apply(&app, &folder, &[one.clone(), two.clone()], &[]).await;
    assert_eq!(again, json!({"changed": false, "changes": [], "sessions_ended": 0}));
    assert_eq!(app.database().count("SELECT COUNT(*) FROM audit").await, audited);
    let two = format!("{two}label = \"Two\"\n");
    let moved = apply(&app, &folder, &[two.clone(), one], &[]).await;
    let changed = |name, fields: &[&str]| json!({"name": name, "change": "change", "fields": fields});
    assert_eq!(moved["changes"], json!([changed("two", &["label", "order"]), changed("one", &["order"])]));
    assert_eq!(order(&app).await, ["two", "one", "other"]);
    let pruned = apply(&app, &folder, &[two], &["--prune"]).await;
    let removed = |name| json!({"name": name, "change": "remove"});
    assert_eq!(pruned["changes"], json!([removed("one"), removed("other")]));
    assert_eq!(order(&app).await, ["two"]);
    let kinds = "SELECT kind FROM audit WHERE kind LIKE 'provider%'";
    let kinds = app.database().texts(kinds).await;
    let count = |kind: &str| kinds.iter().filter(|found| *found == kind).count();
    assert_eq!([count("provider_added"), count("provider_changed"), count("provider_removed")], [3, 2, 2]);
}

async fn records_may_exchange_their_clients(engine: Engine) {
    let folder = folder();
    let app = engine.app().await;
    apply(&app, &folder, &[table("one", "1"), table("two", "2")], &[]).await;
    let exchanged = apply(&app, &folder, &[table("one", "2"), table("two", "1")], &[]).await;
    assert_eq!(exchanged["changes"].as_array().unwrap().len(), 2);
    assert_eq!(order(&app).await, ["one", "two"]);
    assert_eq!(opened(&app, "one").await, SECRET);
}

async fn twenty_providers_are_the_most(engine: Engine) {
    let folder = folder();
    let app = engine.app().await;
    let tables: Vec<String> = (0..20).map(|number| table(&format!("p{number}"), &number.to_string())).collect();
    apply(&app, &folder, &tables, &[]).await;
    let secret = folder.path().join("secret").display().to_string();
    let more = ["provider", "add", "google", "--client-id", "x", "--client-secret-file", &secret];
    let refused = run_program(&more, app.variables()).await;
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert_eq!(order(&app).await.len(), 20);
}

async fn file_is_applied_at_each_start(engine: Engine) {
    let folder = folder();
    let builder = engine.prepare().await;
    let file = folder.path().join("providers.toml");
    fs::write(
        &file,
        table("corp", "1").replace("client_secret_file = \"secret\"", "client_secret_env = \"CORP_SECRET\""),
    )
    .unwrap();
    let mut variables = builder.with_another_port();
    variables.insert("SVC_APPLY_FILE".to_owned(), file.display().to_string());
    variables.insert("CORP_SECRET".to_owned(), SECRET.to_owned());
    let version = "SELECT providers FROM instance WHERE id = 1";
    let mut versions = Vec::new();
    for _ in 0..2 {
        let mut process = Process::start(&variables).await;
        process.signal("TERM");
        process.wait().await;
        assert!(!process.stderr().contains(SECRET));
        versions.push(builder.database().count(version).await);
    }
    assert_eq!(versions[0], versions[1], "the second start finds nothing to change");
    let listed = doorward(&variables, &["provider", "list"]).await;
    assert_eq!(listed["data"][0]["name"], "corp");
}

async fn wrong_file_stops_the_start() {
    let folder = folder();
    let builder = Engine::Sqlite.prepare().await;
    let file = folder.path().join("providers.toml");
    fs::write(&file, table("corp", "1").replace("oidc", "saml")).unwrap();
    let mut variables = builder.with_another_port();
    variables.insert("SVC_APPLY_FILE".to_owned(), file.display().to_string());
    let refused = run_program(&["serve"], &variables).await;
    let error = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{error}");
    let expected = format!("doorward: SVC_APPLY_FILE: {}: line 3: kind: ", file.display());
    assert!(error.lines().any(|line| line.starts_with(&expected)), "{error}");
}

async fn login_is_claimed_once_by_its_browser(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    let store = app.app.store.clone();
    let row = ProviderLoginRow {
        state_hash: vec![1; 32],
        browser_hash: vec![2; 32],
        secrets: vec![3],
        provider: name("corp"),
        issuer: "https://id.example.com".to_owned(),
        client_id: "1".to_owned(),
        revision: 1,
        connect: None,
        return_to: None,
        invitation_id: None,
        expires_at: store.database_time() + Duration::from_mins(10),
        claimed_at: None,
        answer: None,
    };
    let mut tx = begin(&store).await;
    tx.provider_login_create(&row).await.unwrap();
    tx.provider_login_create(&ProviderLoginRow { state_hash: vec![4; 32], ..row.clone() }).await.unwrap();
    let other = ProviderName::parse("another").unwrap();
    assert!(!tx.provider_login_keep_answer(&[1; 32], &other, &[6]).await.unwrap(), "it came to another provider");
    assert!(tx.provider_login_keep_answer(&[1; 32], &row.provider, &[7]).await.unwrap());
    assert!(!tx.provider_login_keep_answer(&[1; 32], &row.provider, &[8]).await.unwrap(), "an answer is kept once");
    assert!(tx.provider_login_claim(&[1; 32], &[9; 32]).await.unwrap().is_none(), "another browser");
    tx.commit().await.unwrap();
    let mut claims = JoinSet::new();
    for _ in 0..20 {
        let store = store.clone();
        claims.spawn(async move {
            let mut tx = begin(&store).await;
            let claimed = tx.provider_login_claim(&[1; 32], &[2; 32]).await.unwrap();
            tx.commit().await.unwrap();
            claimed
        });
    }
    let claimed: Vec<_> = claims.join_all().await.into_iter().flatten().collect();
    assert_eq!(claimed.len(), 1);
    assert_eq!(claimed[0].answer.as_deref(), Some([7].as_slice()));
    assert!(claimed[0].claimed_at.is_some());
    app.clock().advance(Duration::from_mins(11));
    let mut tx = begin(&store).await;
    assert!(tx.provider_login_claim(&[4; 32], &[2; 32]).await.unwrap().is_none(), "too late");
    assert_eq!(tx.provider_logins_delete_expired(10).await.unwrap(), 2);
    tx.commit().await.unwrap();
}

async fn identity_belongs_to_one_user(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    app.sign_up("bob@example.com").await;
    let (ada_id, bob_id) = (user_id(&app, "ada").await, user_id(&app, "bob").await);
    let corp = name("corp");
    let new = |number, user_id, subject| NewIdentity {
        id: IdentityId(Uuid::from_u128(number)),
        user_id,
        issuer: "https://id.example.com",
        subject,
        provider: &corp,
        email: Some("ada@corp.example"),
    };
    let mut tx = begin(&app.app.store).await;
    assert!(tx.identity_create(&new(1, ada_id, "a")).await.unwrap());
    assert!(!tx.identity_create(&new(2, bob_id, "a")).await.unwrap());
    assert!(tx.identity_create(&new(3, ada_id, "A")).await.unwrap(), "a subject is compared letter by letter");
    assert_eq!(tx.identities_count(ada_id).await.unwrap(), 2);
    assert!(!tx.identity_delete(bob_id, IdentityId(Uuid::from_u128(3))).await.unwrap());
    assert!(tx.identity_delete(ada_id, IdentityId(Uuid::from_u128(3))).await.unwrap());
    tx.identity_note_use(IdentityId(Uuid::from_u128(1)), &corp, None).await.unwrap();
    tx.commit().await.unwrap();
    let mut conn = app.app.store.read(&Principal::operator(), Operation::FindUsers).await.unwrap();
    let found = conn.identity_find("https://id.example.com", "a").await.unwrap().unwrap();
    assert_eq!((found.user_id, found.email), (ada_id, None));
    drop(conn);
    ada.get("/auth/account/export").await.expect(200);
    let export = ada.post_form("/auth/account/export", &[]).await.expect(200).json();
    assert_eq!(export["identities"][0]["subject"], "a");
}
