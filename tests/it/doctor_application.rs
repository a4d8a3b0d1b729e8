//! What `doorward doctor --app` finds on the way to an application behind the gate.

use crate::harness::{Engine, Process, TestApp, eventually, free_port, run_program, run_to_snapshot, snapshot};
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use std::collections::BTreeMap;
use tokio::net::TcpListener;

single_run![
    forged_names_that_arrive_are_found,
    application_that_is_not_reached_is_said,
    address_of_application_is_checked,
    names_that_strangers_choose_are_found,
];

/// What a proxy does with the headers of a visitor.
#[derive(Clone, Copy)]
enum Proxy {
    /// Deletes the names that are written alike throughout, as Doorward's files did up to 0.2.0.
    DeletesUniform,
    /// Deletes every spelling.
    DeletesAll,
    /// Asks for a login.
    Refuses,
    /// Leads to another application.
    LeadsElsewhere,
}

impl Proxy {
    fn deletes(self, name: &str) -> bool {
        match self {
            Self::DeletesUniform => name.starts_with("x-svc-") || name.starts_with("x_svc_"),
            _ => ["x-svc-", "remote-user"].iter().any(|own| name.replace(['_', '.', '~'], "-").starts_with(own)),
        }
    }
}

/// A proxy with the echo behind it, and its address.
async fn proxy(kind: Proxy, echo: u16) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let routes = Router::new().fallback(pass_on).with_state((kind, format!("http://127.0.0.1:{echo}/")));
    tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
    url
}

async fn pass_on(State((kind, echo)): State<(Proxy, String)>, headers: HeaderMap) -> Response {
    match kind {
        Proxy::Refuses => return (StatusCode::FOUND, [("location", "/auth/login")]).into_response(),
        Proxy::LeadsElsewhere => return "<!doctype html><h1>Wiki</h1>".into_response(),
        Proxy::DeletesUniform | Proxy::DeletesAll => {}
    }
    let kept = headers.iter().filter(|(name, _)| *name != "host" && !kind.deletes(name.as_str()));
    let kept: HeaderMap = kept.map(|(name, value)| (name.clone(), value.clone())).collect();
    reqwest::Client::new().get(echo).headers(kept).send().await.unwrap().text().await.unwrap().into_response()
}

/// The echo, on its port.
pub async fn echo() -> (Process, u16) {
    let port = free_port();
    let process = Process::spawn_command(&["dev", "echo", "--port", &port.to_string()], &BTreeMap::new());
    eventually("the echo listens", async || process.stdout().contains("Listening").then_some(())).await;
    (process, port)
}

async fn examine(url: &str) -> (Option<i32>, [String; 3]) {
    let app = Engine::Sqlite.prepare().await.set("SVC_GATE_HEADERS", "Remote-User=username").start().await;
    examine_for(&app, url).await
}

/// What the doctor of this service says of an application: state, code and message.
pub async fn examine_for(app: &TestApp, url: &str) -> (Option<i32>, [String; 3]) {
    let output = run_program(&["doctor", "--json", "--app", url], app.variables()).await;
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let checks = report["checks"].as_array().unwrap();
    let line = checks.iter().find(|check| check["check"] == "application").expect("a line");
    let text = |field: &str| line[field].as_str().unwrap_or_default().to_owned();
    (output.status.code(), ["state", "code", "message"].map(text))
}

async fn forged_names_that_arrive_are_found() {
    let (_process, port) = echo().await;
    let (code, [state, finding, message]) = examine(&proxy(Proxy::DeletesUniform, port).await).await;
    snapshot("doctor/application_forged", &format!("{code:?} {state} {finding} {message}"));
    let (code, [state, _, message]) = examine(&proxy(Proxy::DeletesAll, port).await).await;
    snapshot("doctor/application_safe", &format!("{code:?} {state} {message}"));
}

async fn application_that_is_not_reached_is_said() {
    let (_process, port) = echo().await;
    let nobody = format!("http://127.0.0.1:{}/", free_port());
    for (url, name) in [
        (proxy(Proxy::Refuses, port).await, "refuses"),
        (proxy(Proxy::LeadsElsewhere, port).await, "elsewhere"),
        (nobody, "away"),
    ] {
        let (code, [state, finding, message]) = examine(&url).await;
        snapshot(&format!("doctor/application_{name}"), &format!("{code:?} {state} {finding} {message}"));
    }
}

async fn address_of_application_is_checked() {
    for (name, url) in [
        ("scheme", "ftp://example.org"),
        ("none", "example.org"),
        ("user", "http://user@example.org/"),
        ("host", "http://"),
    ] {
        let arguments = ["doctor", "--app", url];
        run_to_snapshot(&format!("doctor/application_wrong_{name}"), &arguments, &BTreeMap::new()).await;
    }
    let json = ["doctor", "--app", "example.org", "--json"];
    run_to_snapshot("doctor/application_wrong_none_json", &json, &BTreeMap::new()).await;
}

async fn names_that_strangers_choose_are_found() {
    let builder = Engine::Sqlite.prepare().await.set("SVC_GATE_HEADERS", "Remote-User=username");
    let app = builder.set("SVC_SIGNUP", "open").start().await;
    let found = async |variables: &BTreeMap<String, String>| {
        let output = run_program(&["doctor", "--json"], variables).await;
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        report["checks"].as_array().unwrap().iter().any(|check| check["code"] == "DW-062")
    };
    assert!(found(app.variables()).await);
    // Closed signup is no remedy: people rename themselves.
    for (variable, value, is_found) in [("SVC_GATE_HEADERS", "Remote-User=id", false), ("SVC_SIGNUP", "invite", true)] {
        let mut variables = app.variables().clone();
        variables.insert(variable.to_owned(), value.to_owned());
        assert_eq!(found(&variables).await, is_found, "{variable}={value}");
    }
    let output = run_program(&["user", "list"], app.variables()).await;
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "it is no matter of each command");
}
