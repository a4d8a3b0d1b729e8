//! Clients that the generators of others make from the description of API v2: each is compiled, and talks to a service.
//! `scripts/generators` brings the quick ones; with `--all` it tries every one, and writes the table.

use crate::api_description::key;
use crate::harness::{Client, Engine, TestApp, generators};
use crate::organizations::user_id;
use std::path::Path;
use std::process::Command;

if_installed![
    Generators: generated_clients_work,
];

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const MARK: &str = "<!-- generators: written by scripts/generators --all -->\n";

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
    let page = Path::new(ROOT).join("docs/reference/api-v2.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let (before, rest) = text.split_once(MARK).expect("its table");
    let (table, after) = rest.split_once("<!-- end -->").expect("its end");
    let head = "\n| Generator | Version | Language | OpenAPI |\n|---|---|---|---|\n";
    if has_all && std::env::var_os("DOORWARD_BLESS").is_some() {
        std::fs::write(&page, format!("{before}{MARK}{head}{rows}\n<!-- end -->{after}")).unwrap();
    } else if has_all {
        assert_eq!(table.trim(), format!("{head}{rows}").trim(), "scripts/generators --all writes the table");
    }
    for row in rows.lines() {
        assert!(has_all || table.contains(row), "the table lacks {row}");
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
