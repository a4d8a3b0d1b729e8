//! What tells whether the service is well: `doorward healthcheck` and the version.

use crate::harness::{Engine, free_port, run_program};
use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tokio::net::TcpListener;

both_engines![healthcheck_asks_the_running_service];
single_run![healthcheck_tells_ready_from_alive, healthcheck_fails_without_service, version_is_the_running_one];

/// Exit code, standard output and standard error.
async fn check(arguments: &[&str], variables: &BTreeMap<String, String>) -> (Option<i32>, String, String) {
    let output = run_program(&[&["healthcheck"], arguments].concat(), variables).await;
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

async fn healthcheck_asks_the_running_service(engine: Engine) {
    let app = engine.app().await;
    let mut variables = app.variables().clone();
    // A health check of a container may lack what only the service needs.
    variables.remove("SVC_SECRET_KEY");
    variables.insert("SVC_LISTEN".to_owned(), format!("0.0.0.0:{}", app.address().port()));
    for arguments in [[].as_slice(), &["--ready"]] {
        let (code, printed, error) = check(arguments, &variables).await;
        assert!(code == Some(0) && printed.contains("answered 200") && error.is_empty(), "{printed}{error}");
    }
    let (_, printed, _) = check(&["--ready", "--json"], &variables).await;
    let url = format!("http://{}/auth/ready", app.address());
    assert_eq!(serde_json::from_str::<Value>(&printed).unwrap(), json!({"url": url, "healthy": true}));
}

fn listening_on(address: &str) -> BTreeMap<String, String> {
    BTreeMap::from([("SVC_LISTEN".to_owned(), address.to_owned())])
}

async fn healthcheck_tells_ready_from_alive() {
    let routes = Router::new()
        .route("/auth/health", get(async || "ok\n"))
        .route("/auth/ready", get(async || (StatusCode::SERVICE_UNAVAILABLE, "the database is not reachable\n")));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let variables = listening_on(&listener.local_addr().unwrap().to_string());
    tokio::spawn(async move { axum::serve(listener, routes).await });
    assert_eq!(check(&[], &variables).await.0, Some(0));
    let (code, printed, error) = check(&["--ready"], &variables).await;
    assert!(code == Some(1) && printed.is_empty() && error.contains("answered 503"), "{printed}{error}");
}

async fn healthcheck_fails_without_service() {
    let address = format!("127.0.0.1:{}", free_port());
    let (code, _, error) = check(&[], &listening_on(&address)).await;
    assert!(code == Some(1) && error.contains(&format!("http://{address}/auth/health: ")), "{error}");
    let (code, _, error) = check(&[], &listening_on("127.0.0.1:0")).await;
    assert!(code == Some(2) && error.contains("SVC_LISTEN has port 0"), "{error}");
}

async fn version_is_the_running_one() {
    let app = Engine::Sqlite.app().await;
    let reply = app.anonymous().get("/auth/version").await.expect(200);
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(reply.json(), json!({"name": "doorward", "version": env!("CARGO_PKG_VERSION")}));
}
