//! API keys: what operators do with them, and which are right (docs/guides/operations.md, API keys).

use crate::harness::{Engine, TestApp, run_program};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use doorward::domain::api_key::authenticate::{ApiKey, ApiKeyRefusal, RequestOrigin, authenticate};
use doorward::model::principal::Operation;
use serde_json::{Value, json};
use std::net::IpAddr;
use std::time::Duration;

both_engines![
    revoked_and_expired_keys_are_refused_by_every_process,
    keys_survive_change_of_secret_key,
    database_holds_no_key,
];
one_engine![
    key_is_printed_once_and_permits_its_scopes,
    malformed_forged_and_doubled_keys_are_refused,
    rotated_key_works_during_overlap,
    key_is_bound_to_networks,
    names_are_unique_among_live_keys,
    last_use_is_written_by_day_and_network,
    ten_thousand_wrong_keys_are_limited_and_write_nothing,
];
single_run![bad_arguments_of_api_keys_are_refused];

const HOME: [u8; 4] = [192, 0, 2, 1];

/// Runs a command that succeeds, with its JSON.
async fn doorward(app: &TestApp, arguments: &[&str]) -> Value {
    let output = run_program(&[&["--json"], arguments].concat(), app.variables()).await;
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn from(address: impl Into<IpAddr>) -> RequestOrigin<'static> {
    let address = address.into();
    RequestOrigin { for_limits: address, address: Some(address), user_agent: "" }
}

async fn create(app: &TestApp, arguments: &str) -> Value {
    let words: Vec<&str> = ["api-key", "create"].into_iter().chain(arguments.split(' ')).collect();
    doorward(app, &words).await
}

fn header(created: &Value) -> String {
    format!("Bearer {}", created["key"].as_str().unwrap())
}

async fn authenticated(app: &TestApp, headers: &[&str]) -> Result<ApiKey, ApiKeyRefusal> {
    authenticate(&app.app, headers, from(HOME)).await
}

#[track_caller]
fn assert_unauthorized(authenticated: &Result<ApiKey, ApiKeyRefusal>, what: &str) {
    assert!(matches!(authenticated, Err(ApiKeyRefusal::Unauthorized)), "{what}: {authenticated:?}");
}

async fn list(app: &TestApp) -> Vec<Value> {
    let listed = doorward(app, &["api-key", "list"]).await;
    assert_eq!(listed["next"], Value::Null);
    listed["data"].as_array().unwrap().clone()
}

async fn key_is_printed_once_and_permits_its_scopes(engine: Engine) {
    let app = engine.app().await;
    let created = create(&app, "backend --scope users:read organizations:write --expires 2160h").await;
    let mut names: Vec<&str> = created.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["expires_at", "id", "key", "name", "scopes"]);
    assert_eq!(created["scopes"], json!(["users:read", "organizations:write"]));
    let key = authenticated(&app, &[&header(&created)]).await.unwrap();
    assert_eq!(json!(key.id), created["id"]);
    let principal = key.principal();
    let allowed = [Operation::FindUsers, Operation::ChangeUser, Operation::ListOrganizations, Operation::AddMember]
        .map(|operation| principal.require(operation).is_ok());
    assert_eq!(allowed, [true, false, false, true]);
    assert_eq!(principal.actor().actor_name(), "key:backend");
    authenticated(&app, &[&header(&created).replace("Bearer", "bearer")]).await.unwrap();
    let listed = list(&app).await;
    assert_eq!((&listed[0]["id"], &listed[0]["state"]), (&created["id"], &json!("live")));
    let output = run_program(&["api-key", "list"], app.variables()).await;
    let text = String::from_utf8(output.stdout).unwrap();
    let secret = created["key"].as_str().unwrap().rsplit('_').next().unwrap();
    assert!(text.contains("backend") && !text.contains(secret) && !json!(listed).to_string().contains(secret));
    let audited = app.database().texts("SELECT kind || ' ' || actor || ' ' || detail FROM audit").await;
    let expected = format!("api_key_created operator backend {} users:read,organizations:write", key.id);
    assert_eq!(audited, [expected]);
}

async fn malformed_forged_and_doubled_keys_are_refused(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let (one, other) = (create(&app, "one --scope users:read").await, create(&app, "other --scope users:read").await);
    let (right, key) = (header(&one), one["key"].as_str().unwrap());
    let mixed = key.replace(one["id"].as_str().unwrap(), other["id"].as_str().unwrap());
    let elsewhere = engine.app().await;
    let foreign = header(&create(&elsewhere, "one --scope users:read").await);
    let wrong = [
        String::new(),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        key.to_owned(),
        format!("Basic {key}"),
        format!("Bearer {}", &key[..key.len() - 1]),
        format!("{right}0"),
        format!("Bearer {}", key.to_ascii_uppercase()),
        format!("Bearer {key}, Bearer {key}"),
        format!("Bearer {mixed}"),
        format!("Bearer {}", key.replace("svckey", "otherkey")),
        format!("Bearer svckey_{}", "\u{0}".repeat(66)),
        "Bearer ' OR 1=1 --".to_owned(),
        foreign,
    ];
    for header in &wrong {
        assert_unauthorized(&authenticated(&app, &[header]).await, header);
    }
    assert_unauthorized(&authenticated(&app, &[]).await, "none");
    assert_unauthorized(&authenticated(&app, &[&right, &right]).await, "twice");
    authenticated(&app, &[&right]).await.unwrap();
}

async fn revoked_and_expired_keys_are_refused_by_every_process(engine: Engine) {
    let app = engine.app().await;
    let other = app.second_process().await;
    let revoked = create(&app, "revoked --scope users:read").await;
    let expiring = create(&app, "expiring --scope users:read --expires 1h").await;
    for process in [&app, &other] {
        authenticated(process, &[&header(&revoked)]).await.unwrap();
        authenticated(process, &[&header(&expiring)]).await.unwrap();
    }
    let id = revoked["id"].as_str().unwrap();
    assert_eq!(doorward(&app, &["api-key", "revoke", id]).await["changed"], true);
    assert_eq!(doorward(&app, &["api-key", "revoke", id]).await["changed"], false);
    for process in [&app, &other] {
        assert_unauthorized(&authenticated(process, &[&header(&revoked)]).await, "revoked");
    }
    app.clock().advance(Duration::from_secs(3590));
    authenticated(&app, &[&header(&expiring)]).await.unwrap();
    app.clock().advance(Duration::from_secs(20));
    assert_unauthorized(&authenticated(&app, &[&header(&expiring)]).await, "expired");
}

async fn rotated_key_works_during_overlap(engine: Engine) {
    let app = engine.app().await;
    let old = create(&app, "backend --scope users:read --from 192.0.2.0/24").await;
    let id = old["id"].as_str().unwrap();
    let new = doorward(&app, &["api-key", "rotate", id, "--overlap", "2h"]).await;
    assert_eq!((&new["name"], &new["scopes"]), (&old["name"], &old["scopes"]));
    let (one, other) =
        (authenticated(&app, &[&header(&old)]).await.unwrap(), authenticated(&app, &[&header(&new)]).await.unwrap());
    assert!(one.family == other.family && one.id != other.id);
    assert_unauthorized(&authenticate(&app.app, &[&header(&new)], from([203, 0, 113, 1])).await, "networks are kept");
    let again = run_program(&["api-key", "rotate", id], app.variables()).await;
    let message = String::from_utf8(again.stderr).unwrap();
    assert!(again.status.code() == Some(1) && message.contains(new["id"].as_str().unwrap()), "{message}");
    app.clock().advance(Duration::from_secs(2 * 3600 + 10));
    assert_unauthorized(&authenticated(&app, &[&header(&old)]).await, "after the overlap");
    authenticated(&app, &[&header(&new)]).await.unwrap();
}

async fn key_is_bound_to_networks(engine: Engine) {
    let app = engine.app().await;
    let key = header(&create(&app, "backend --scope users:read --from 192.0.2.0/24 2001:db8::/32").await);
    authenticate(&app.app, &[&key], from(HOME)).await.unwrap();
    authenticate(&app.app, &[&key], from("2001:db8::7".parse::<IpAddr>().unwrap())).await.unwrap();
    assert_unauthorized(&authenticate(&app.app, &[&key], from([198, 51, 100, 1])).await, "elsewhere");
    let unknown = RequestOrigin { address: None, ..from(HOME) };
    assert_unauthorized(&authenticate(&app.app, &[&key], unknown).await, "from nowhere");
}

async fn names_are_unique_among_live_keys(engine: Engine) {
    let app = engine.app().await;
    let first = create(&app, "backend --scope users:read").await;
    let arguments = ["api-key", "create", "backend", "--scope", "users:read"];
    let taken = run_program(&arguments, app.variables()).await;
    assert_eq!(taken.status.code(), Some(1), "{taken:?}");
    doorward(&app, &["api-key", "revoke", first["id"].as_str().unwrap()]).await;
    let second = create(&app, "backend --scope users:read").await;
    assert_ne!(first["id"], second["id"]);
    // Two at once: one is refused.
    let at_once = ["api-key", "create", "twin", "--scope", "users:read"];
    let (one, other) = tokio::join!(run_program(&at_once, app.variables()), run_program(&at_once, app.variables()));
    assert_ne!(one.status.success(), other.status.success(), "{one:?} {other:?}");
}

async fn last_use_is_written_by_day_and_network(engine: Engine) {
    let app = engine.app().await;
    let key = header(&create(&app, "backend --scope users:read").await);
    assert_eq!(list(&app).await[0]["last_used_on"], Value::Null);
    authenticated(&app, &[&key]).await.unwrap();
    let used = list(&app).await[0].clone();
    assert_eq!(used["last_used_network"], "192.0.2.1");
    let written = || app.database().texts("SELECT CAST(last_used_at AS TEXT) FROM api_keys");
    let first = written().await;
    authenticated(&app, &[&key]).await.unwrap();
    authenticate(&app.app, &[&key], from([192, 0, 2, 2])).await.unwrap();
    assert_eq!(written().await, first, "one write, however often and from however many networks within a minute");
    app.clock().advance(Duration::from_secs(61));
    authenticate(&app.app, &[&key], from([192, 0, 2, 2])).await.unwrap();
    assert_eq!(list(&app).await[0]["last_used_network"], "192.0.2.2");
    app.clock().advance(Duration::from_hours(24));
    authenticate(&app.app, &[&key], from([192, 0, 2, 2])).await.unwrap();
    assert_ne!(list(&app).await[0]["last_used_on"], used["last_used_on"]);
}

async fn ten_thousand_wrong_keys_are_limited_and_write_nothing(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    let right = header(&create(&app, "backend --scope users:read").await);
    authenticated(&app, &[&right]).await.unwrap();
    let rows = "SELECT CAST((SELECT COUNT(*) FROM api_keys) + (SELECT COUNT(*) FROM audit) + (SELECT COUNT(*) FROM \
                limits) AS BIGINT)";
    let before = app.database().count(rows).await;
    let mut statements = Vec::new();
    let wrong = ["Bearer svckey_x", &right.replace("svckey", "other"), &right[..right.len() - 2]];
    for number in 0..10_000 {
        let counted = app.app.store.statements();
        let authenticated = authenticated(&app, &[wrong[number % 3]]).await;
        statements.push(app.app.store.statements() - counted);
        match authenticated {
            Err(ApiKeyRefusal::Unauthorized) => {}
            Err(ApiKeyRefusal::TooManyWrong(wait)) => assert!(number >= 30 && wait <= Duration::from_secs(1)),
            other => panic!("{number}: {other:?}"),
        }
    }
    assert!(statements.iter().all(|count| *count == 1), "each wrong key costs one read");
    assert!(matches!(authenticated(&app, &[wrong[0]]).await, Err(ApiKeyRefusal::TooManyWrong(_))));
    assert_unauthorized(&authenticate(&app.app, &[wrong[0]], from([203, 0, 113, 1])).await, "another network");
    // However many wrong keys were shown, a right one is accepted, here and elsewhere.
    authenticated(&app, &[&right]).await.unwrap();
    authenticate(&app.app, &[&right], from([198, 51, 100, 1])).await.unwrap();
    assert_eq!(app.database().count(rows).await, before, "no wrong key wrote anything");
}

async fn keys_survive_change_of_secret_key(engine: Engine) {
    let (first, second) = (STANDARD.encode([1; 32]), STANDARD.encode([2; 32]));
    let app = engine.prepare().await.set("SVC_SECRET_KEY", &first).start().await;
    let key = header(&create(&app, "backend --scope users:read").await);
    let app = app.restart_with(&[("SVC_SECRET_KEY", &format!("new:{second},old:{first}"))]).await;
    authenticated(&app, &[&key]).await.unwrap();
    doorward(&app, &["secrets", "reseal"]).await;
    assert_eq!(doorward(&app, &["secrets", "reseal"]).await["resealed"], 0);
    let app = app.restart_with(&[("SVC_SECRET_KEY", &second)]).await;
    authenticated(&app, &[&key]).await.unwrap();
}

/// Neither the key nor what could be tried against its unsealed hash.
async fn database_holds_no_key(engine: Engine) {
    let app = engine.app().await;
    let created = create(&app, "backend --scope users:read").await;
    authenticated(&app, &[&header(&created)]).await.unwrap();
    let secret = &created["key"].as_str().unwrap().rsplit('_').next().unwrap()[..43];
    let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, secret.as_bytes());
    let hash = doorward::model::hex::encode(hash.as_ref());
    let sealed = match engine {
        Engine::Sqlite => "SELECT lower(hex(secret)) FROM api_keys",
        Engine::Postgres => "SELECT encode(secret, 'hex') FROM api_keys",
    };
    let sealed = app.database().texts(sealed).await;
    let readable = app.database().texts("SELECT id || family || name || scopes || networks FROM api_keys").await;
    let audited = app.database().texts("SELECT actor || detail FROM audit").await;
    assert!(sealed.len() == 1 && sealed[0].len() > 128 && !sealed[0].contains(&hash));
    assert!([readable, audited].concat().iter().all(|text| !text.contains(secret)));
}

async fn bad_arguments_of_api_keys_are_refused() {
    let app = Engine::Sqlite.app().await;
    let created = create(&app, "backend --scope users:read").await;
    let key = created["key"].as_str().unwrap();
    for arguments in [
        "create backend2",
        "create two:words --scope users:read",
        "create backend2 --scope users:everything",
        "create backend2 --scope users:read --from nowhere",
        "create backend2 --scope users:read --expires 0h",
        "rotate two:words",
        &format!("revoke {key}"),
    ] {
        let words: Vec<&str> = ["api-key"].into_iter().chain(arguments.split(' ')).collect();
        let output = run_program(&words, app.variables()).await;
        assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
    }
    let unknown = run_program(&["api-key", "revoke", "0123456789abcdef"], app.variables()).await;
    assert_eq!(unknown.status.code(), Some(1), "{unknown:?}");
}
