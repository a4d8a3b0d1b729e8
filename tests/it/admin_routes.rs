//! Every path below `/auth/admin` asked by everybody who may come: the table in `docs/reference/permissions.md` is what
//! the service answers.

use crate::harness::{Client, Engine, TestApp, someone_with};
use crate::permissions::compare_table;
use crate::snapshots::{Route, routes};
use regex::Regex;
use std::collections::BTreeMap;
use std::fmt::Write;

one_engine![every_path_answers_each_role_as_documented,];

const ROLES: [&str; 3] = ["admin", "auditor", "monitor"];
/// No thing's id: the role is judged before it.
const NOTHING: &str = "0198c0de-0000-7000-8000-000000000000";

/// The paths with their methods, by the source of the router.
fn paths() -> BTreeMap<String, Vec<String>> {
    let mut paths = BTreeMap::<String, Vec<String>>::new();
    for Route { method, path } in routes().into_iter().filter(|route| route.path.starts_with("/auth/admin")) {
        paths.entry(path).or_default().push(method);
    }
    assert!(paths.len() > 30, "{paths:?}");
    paths
}

async fn status(client: &Client, method: &str, path: &str) -> u16 {
    let path = Regex::new(r"\{\w+\}").unwrap().replace_all(path, NOTHING);
    let reply = if method == "GET" { client.get(&path).await } else { client.post_form(&path, &[]).await };
    let is_login = reply.header("location").is_some_and(|location| location.starts_with("/auth/login?return_to="));
    if is_login { 401 } else { reply.status }
}

/// The methods that are answered with anything but the 403 page.
async fn permitted(client: &Client, path: &str, methods: &[String]) -> String {
    let mut permitted = Vec::new();
    for method in methods {
        match status(client, method, path).await {
            403 => {}
            200 | 404 | 422 => permitted.push(method.as_str()),
            other => panic!("{method} {path}: {other}"),
        }
    }
    if permitted.is_empty() { "–".to_owned() } else { permitted.join(", ") }
}

async fn table(app: &TestApp) -> String {
    let mut table = "| Path | `admin` | `auditor` | `monitor` |\n|---|---|---|---|\n".to_owned();
    let mut clients = Vec::new();
    for role in ROLES {
        clients.push(someone_with(app, role).await);
    }
    let (person, nobody) = (app.sign_up("ada@example.com").await, app.anonymous());
    for (path, methods) in paths() {
        let mut cells = Vec::new();
        for client in &clients {
            cells.push(permitted(client, &path, &methods).await);
        }
        for method in &methods {
            assert_eq!(status(&person, method, &path).await, 403, "{method} {path}");
            assert_eq!(status(&nobody, method, &path).await, 401, "{method} {path}");
        }
        writeln!(table, "| `{path}` | {} |", cells.join(" | ")).unwrap();
    }
    table
}

async fn every_path_answers_each_role_as_documented(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    compare_table("| Path |", &table(&app).await);
}
