//! Clients that the generators of others make from the description of API v2: each is compiled, and talks to a service.
//! `scripts/generators` brings the quick ones; with `--all` it tries every one, and writes the table.

use crate::api_description::key;
use crate::harness::{Client, Engine, TestApp, generators, written_table};
use crate::organizations::user_id;
use std::path::Path;
use std::process::Command;

if_installed![
    Generators: generated_clients_work,
];

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Each creates users with metadata, reads their list in pages of five and a list of sessions, and tells 409 and 422
/// apart by type; those in TypeScript also change a session. See `tools/generators/clients/`.
async fn generated_clients_work() {
    let app = Engine::Sqlite.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let variables = variables(&app, &ada).await;
    let (mut rows, newest) = (String::new(), format!("{ROOT}/docs/reference/openapi.json"));
    for name in attempt(&[], &[]).await.lines() {
        rows += &attempt(&[name, &newest], &variables).await;
    }
    let has_all = Path::new(&generators().unwrap()).join("all").exists();
    let head = "| Generator | Version | Language | OpenAPI |\n|---|---|---|---|\n";
    let table = written_table("docs/reference/api-v2.md", "generators");
    if has_all && table.is_blessed(|| format!("{head}{rows}")) {
        return;
    }
    assert!(!has_all || table.text() == format!("{head}{rows}").trim(), "scripts/generators --all writes the table");
    for row in rows.lines() {
        assert!(has_all || table.text().contains(row), "the table lacks {row}");
    }
}

/// Where the service is, and who may ask it.
async fn variables(app: &TestApp, person: &Client) -> Vec<(&'static str, String)> {
    let token = |name| person.token(name).unwrap();
    vec![
        ("DOORWARD_URL", app.url()),
        ("DOORWARD_KEY", key(app).await),
        ("DOORWARD_USER", user_id(person).await),
        ("DOORWARD_COOKIE", ["access", "csrf"].map(|name| format!("svc_{name}={}", token(name))).join("; ")),
        ("DOORWARD_CSRF", token("csrf")),
    ]
}

/// What `tools/generators/try` prints.
async fn attempt(arguments: &[&str], variables: &[(&str, String)]) -> String {
    let mut command = Command::new(format!("{ROOT}/tools/generators/try"));
    command.arg(generators().unwrap()).args(arguments).envs(variables.iter().map(|(name, value)| (name, value)));
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
