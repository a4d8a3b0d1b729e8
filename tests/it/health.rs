//! What tells whether the service is well: `doorward healthcheck` and the version.

use crate::harness::{Engine, Process, eventually, free_port, run_program};
use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::Instant;

both_engines![healthcheck_asks_the_running_service, probes_share_one_write_a_second];
single_run![
    service_that_cannot_write_is_not_ready,
    service_whose_sign_ups_are_refused_is_not_ready,
    healthcheck_tells_ready_from_alive,
    healthcheck_fails_without_service,
    version_is_the_running_one
];

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

/// A disk that is full for new pages: the database answers, and can be read, all the same.
async fn service_that_cannot_write_is_not_ready() {
    let metrics = format!("127.0.0.1:{}", free_port());
    let builder = Engine::Sqlite.prepare().await.set("SVC_METRICS_LISTEN", &metrics);
    let process = Process::start_on_small_disk(builder.variables(), 64 * 1024 * 1024).await;
    let ready = async || builder.anonymous().get("/auth/ready").await;
    let gauge = async || {
        let page = reqwest::get(format!("http://{metrics}/metrics")).await.unwrap().text().await.unwrap();
        page.lines().find_map(|line| line.strip_prefix("doorward_ready ").map(str::to_owned))
    };
    ready().await.snapshot("probes/ready");
    assert_eq!(gauge().await.as_deref(), Some("1"));
    let ada = builder.anonymous();
    ada.sign_up("ada@example.com").await.expect(303);
    process.fill_disk();
    eventually("not ready", async || (ready().await.status == 503).then_some(())).await;
    ready().await.snapshot("probes/not_ready");
    assert_eq!(gauge().await.as_deref(), Some("0"));
    assert_eq!(check(&["--ready"], builder.variables()).await.0, Some(1));
    builder.anonymous().get("/auth/health").await.snapshot("probes/alive");
    ada.api_user().await.expect(200);
    process.free_disk();
    eventually("ready again", async || (ready().await.status == 200).then_some(())).await;
    builder.anonymous().sign_up("bob@example.com").await.expect(303);
}

/// What needs no new page passes for a while, as probes did, when there is no room for a sign-up any more.
async fn service_whose_sign_ups_are_refused_is_not_ready() {
    let builder = Engine::Sqlite.prepare().await.set("SVC_RATE_LIMIT", "off");
    let process = Process::start_on_small_disk(builder.variables(), 300 * 1024).await;
    let mut numbers = 0..500;
    let mut sign_up = async || {
        let number = numbers.next().expect("the disk becomes full");
        builder.anonymous().sign_up(&format!("ada{number}@example.com")).await.status
    };
    while sign_up().await == 303 {}
    let refused = Instant::now();
    let ready = async || builder.anonymous().get("/auth/ready").await.status;
    eventually("not ready", async || (ready().await == 503).then_some(())).await;
    assert!(refused.elapsed() < Duration::from_secs(3), "{:?}", refused.elapsed());
    process.free_disk();
    eventually("ready again", async || (ready().await == 200).then_some(())).await;
    assert_eq!(sign_up().await, 303);
    assert_eq!(builder.database().count("SELECT count(*) FROM limits WHERE length(id) > 16").await, 0);
}

async fn probes_share_one_write_a_second(engine: Engine) {
    const PROBES: u64 = 100;
    let app = engine.app().await;
    app.anonymous().get("/auth/ready").await.expect(200);
    let before = app.app.store.statements();
    let mut probes = JoinSet::new();
    for _ in 0..PROBES {
        let probe = app.anonymous();
        probes.spawn(async move { probe.get("/auth/ready").await.status });
    }
    assert!(probes.join_all().await.iter().all(|status| *status == 200));
    let statements = app.app.store.statements() - before;
    assert!(statements < PROBES / 2, "{statements} statements for {PROBES} probes");
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
    let reply = app.anonymous().get("/auth/version").await.snapshot("probes/version");
    assert_eq!(reply.json(), json!({"name": "doorward", "version": env!("CARGO_PKG_VERSION")}));
}
