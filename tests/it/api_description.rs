//! The description of API v2 against the service: it is valid, permits no more than the service does, and generated
//! requests find no contradiction. `scripts/api-tools` brings the programs.

use crate::harness::{Engine, TempDir, TestApp, api_tools, run_program};
use crate::organizations::{create_team, user_id};
use regex::Regex;
use reqwest::Method;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

if_installed![
    ApiTools: description_is_valid,
    ApiTools: generated_requests_find_nothing_on_sqlite,
    ApiTools: generated_requests_find_nothing_on_postgres,
];
single_run![description_permits_no_more_than_service];

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reference");
const SCOPES: [&str; 6] =
    ["users:read", "users:write", "users:security", "organizations:read", "organizations:write", "platform:write"];

/// What a cursor is, and which address is free, no schema says: what fits it may be refused.
const COMMON: [&str; 10] = [
    "run",
    "--seed=7",
    "--max-examples=5",
    "--phases=examples,coverage,fuzzing",
    "--checks=all",
    "--exclude-checks=positive_data_acceptance",
    "--exclude-operation-id-regex=^delete_(session|user|organization)$",
    "--request-timeout=60",
    "--generation-database=none",
    "--suppress-health-check=all",
];

/// Runs a program of the tools, which succeeds, in a folder.
async fn run(name: &str, arguments: &[&str], folder: &Path) {
    let tools = api_tools().unwrap();
    let path = format!("{tools}:{}", std::env::var("PATH").unwrap());
    let mut command = Command::new(Path::new(&tools).join(name));
    command.args(arguments).current_dir(folder).env("PATH", path).env("NO_COLOR", "1");
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{name}: {text}\n{}", String::from_utf8_lossy(&output.stderr));
}

/// A key with every scope.
pub async fn key(app: &TestApp) -> String {
    let arguments = [&["--json", "api-key", "create", "generated", "--scope"], &SCOPES[..]].concat();
    let output = run_program(&arguments, app.variables()).await;
    let created: Value = serde_json::from_slice(&output.stdout).unwrap();
    created["key"].as_str().unwrap().to_owned()
}

async fn description_is_valid() {
    let folder = TempDir::new("description");
    for rendition in ["openapi.json", "openapi-3.0.json"] {
        run("openapi-spec-validator", &[&format!("{FOLDER}/{rendition}")], folder.path()).await;
    }
}

async fn generated_requests_find_nothing_on_sqlite() {
    generated_requests_find_nothing(Engine::Sqlite).await;
}

async fn generated_requests_find_nothing_on_postgres() {
    generated_requests_find_nothing(Engine::Postgres).await;
}

/// Valid and invalid requests, each operation's alone and one after the other: no 5xx, and no answer that the
/// description does not have. The seed is fixed, so that a failure can be repeated.
async fn generated_requests_find_nothing(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let folder = TempDir::new("schemathesis");
    // Another user than the one whose session is tried: what is tried on this one ends its sessions.
    let bob = app.sign_up("bob@example.com").await;
    let team = create_team(&bob, "Crew").await;
    let (user, team) = (user_id(&bob).await, team.rsplit('/').next().unwrap().to_owned());
    let of = |path: &str, id: &str| {
        format!(
            "[[operations]]\ninclude-path-regex = \"^/auth/api/v2/{path}/\"\nparameters = {{ \"path.id\" = \"{id}\" }}\n"
        )
    };
    let settings = of("users", &user) + &of("organizations", &team);
    std::fs::write(folder.path().join("schemathesis.toml"), settings).unwrap();
    let cookies = ["access", "refresh", "csrf"].map(|name| format!("svc_{name}={}", ada.token(name).unwrap()));
    let url = format!("{}/auth/api/v2/openapi.json", app.url());
    let key = format!("Authorization: Bearer {}", key(&app).await);
    run("schemathesis", &[&COMMON[..], &[&url, "--exclude-tag=session", "--header", &key]].concat(), folder.path())
        .await;
    let (cookies, token) = (cookies.join("; "), format!("X-CSRF-Token: {}", ada.token("csrf").unwrap()));
    let headers = ["--header", &format!("Cookie: {cookies}"), "--header", &token];
    // Every request has the cookies, also where one is generated without.
    let own = [&url, "--include-tag=session", "--exclude-checks=positive_data_acceptance,negative_data_rejection"];
    run("schemathesis", &[&COMMON[..], &own, &headers].concat(), folder.path()).await;
}

/// What a field of a new user, or a parameter of the list of users, holds; and whether it is accepted.
const TRIED: [(&str, &str, bool); 22] = [
    ("body roles", r#"[""]"#, false),
    ("body roles", r#"["svc:nobody"]"#, false),
    ("body roles", r#"["admin"]"#, false),
    ("body roles", r#"["svc:admin","svc:auditor","svc:monitor"]"#, true),
    ("body email", r#""ada\u0000@example.com""#, false),
    ("body username", r#""""#, false),
    ("body username", r#""a\u0000da""#, false),
    ("body name", r#""""#, false),
    ("body name", r#""Ada Lovelace""#, true),
    ("body external_id", r#""""#, false),
    ("body external_id", r#""a\u0085b""#, false),
    ("body external_id", r#"" a β ""#, true),
    ("body password", r#""a long pass\u0000word""#, false),
    ("query after", "", false),
    ("query after", "a b", false),
    ("query query", "ad", false),
    ("query query", "ada", true),
    ("query id", "7", false),
    ("query id", "01890000-0000-7000-8000-000000000000", true),
    ("query email", "a\0@example.com", false),
    ("query limit", "0", false),
    ("query limit", "200", true),
];

/// The description of this service, whose roles have a name of their own.
async fn description_permits_no_more_than_service() {
    let app = Engine::Sqlite.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let (client, key) = (app.anonymous(), format!("Bearer {}", key(&app).await));
    let description = client.get("/auth/api/v2/openapi.json").await.json();
    for (number, (place, value, accepted)) in TRIED.into_iter().enumerate() {
        let (place, name) = place.split_once(' ').unwrap();
        let (schema, value, call) = if place == "body" {
            let value: Value = serde_json::from_str(value).unwrap();
            let mut body = json!({"email": format!("user-{number}@example.com")});
            body[name] = value.clone();
            let call = client.call(Method::POST, "/auth/api/v2/users").header("content-type", "application/json");
            let properties = &description["components"]["schemas"]["CreateUser"]["properties"];
            (&properties[name], value, call.body(body.to_string()))
        } else {
            let parameters = description["paths"]["/auth/api/v2/users"]["get"]["parameters"].as_array().unwrap();
            let parameter = parameters.iter().find(|parameter| parameter["name"] == name).unwrap();
            let query = form_urlencoded::Serializer::new(String::new()).append_pair(name, value).finish();
            (&parameter["schema"], value.into(), client.get(&format!("/auth/api/v2/users?{query}")))
        };
        let status = call.also_header("authorization", &key).await.status;
        assert_eq!(matches!(status, 200 | 201), accepted, "{name} {value}: {status}");
        assert!(permits(schema, &value) == accepted, "{name} {value}: the service answers {status}, but: {schema}");
    }
}

/// Whether a value fits a schema. A text of a query stands for a number, or for a list of one.
fn permits(schema: &Value, value: &Value) -> bool {
    let is =
        |name: &str| schema["type"] == name || schema["type"].as_array().is_some_and(|any| any.contains(&json!(name)));
    let number = |key: &str| schema[key].as_u64();
    match value {
        Value::Array(values) => values.iter().all(|value| permits(&schema["items"], value)),
        Value::String(_) if is("array") => permits(&schema["items"], value),
        Value::String(text) if is("integer") => text.parse().is_ok_and(|given: u64| {
            number("minimum").is_none_or(|least| given >= least) && number("maximum").is_none_or(|most| given <= most)
        }),
        Value::String(text) => {
            let length = text.chars().count() as u64;
            number("minLength").is_none_or(|least| length >= least)
                && number("maxLength").is_none_or(|most| length <= most)
                && schema["pattern"].as_str().is_none_or(|pattern| Regex::new(pattern).unwrap().is_match(text))
                && (schema["format"] != "uuid" || uuid::Uuid::try_parse(text).is_ok())
        }
        other => panic!("{other}"),
    }
}
