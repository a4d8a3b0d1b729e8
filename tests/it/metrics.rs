//! Prometheus metrics.

use crate::harness::{Answer, Engine, Receiver, eventually, free_port, run_program};

both_engines![deliveries_are_counted];

single_run![metrics_use_a_separate_listener];

/// The value of a sample, if it is exported.
fn value(page: &str, sample: &str) -> Option<f64> {
    page.lines().find_map(|line| line.strip_prefix(sample)?.strip_prefix(' ')?.parse().ok())
}

async fn scrape(address: &str) -> String {
    let url = format!("http://{address}/metrics");
    let response = eventually("the listener answers", async || reqwest::get(&url).await.ok()).await;
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    response.text().await.unwrap()
}

async fn deliveries_are_counted(engine: Engine) {
    let receiver = Receiver::start().await;
    receiver.answer_next([Answer::Status(204), Answer::Status(404), Answer::Close]);
    let address = format!("127.0.0.1:{}", free_port());
    let builder = engine.prepare().await.webhooks(&receiver).set("SVC_METRICS_LISTEN", &address);
    let app = builder.set("SVC_WEBHOOK_RETRY_DELAYS", "90s").set("SVC_WEBHOOK_WORKER_COUNT", "1").start().await;
    assert_eq!(value(&scrape(&address).await, "doorward_webhook_delivered_total"), Some(0.0));
    app.sign_up("ada@example.com").await;
    let counted = async || {
        let page = scrape(&address).await;
        (value(&page, "doorward_webhook_delivery_seconds_count") == Some(3.0)).then_some(page)
    };
    let page = eventually("three attempts are counted", counted).await;
    for sample in [
        "doorward_webhook_attempts_total{outcome=\"delivered\"}",
        "doorward_webhook_attempts_total{outcome=\"status\"}",
        "doorward_webhook_attempts_total{outcome=\"closed\"}",
        "doorward_webhook_delivered_total",
        "doorward_webhook_retried_total",
        "doorward_webhook_failed_total",
    ] {
        assert_eq!(value(&page, sample), Some(1.0), "{sample} in {page}");
    }
    assert!(
        value(&page, "doorward_webhook_polls_total") >= value(&page, "doorward_webhook_claim_seconds_count"),
        "{page}"
    );
    assert!(value(&page, "doorward_database_statements_total") > Some(0.0), "{page}");
    assert_eq!(value(&page, "doorward_password_verifications_total"), Some(0.0));
    app.anonymous().log_in("nobody@example.com", "a lighthouse in the fog").await.expect(401);
    assert_eq!(value(&scrape(&address).await, "doorward_password_verifications_total"), Some(1.0));
    assert_eq!(value(&page, "doorward_webhook_delivery_seconds_bucket{le=\"+Inf\"}"), Some(3.0));
    assert!(value(&page, "doorward_webhook_claim_seconds_count") >= Some(1.0), "{page}");
    assert_eq!(value(&page, "doorward_webhook_due{for_seconds=\"0\"}"), Some(0.0));
    let samples = page.lines().filter(|line| !line.starts_with('#'));
    assert!(samples.clone().count() > 40 && samples.clone().all(|line| line.starts_with("doorward_")), "{page}");
    assert_eq!(value(&page, "doorward_webhook_oldest_due_seconds"), Some(0.0));
}

async fn metrics_use_a_separate_listener() {
    let app = Engine::Sqlite.prepare().await;
    let address = format!("127.0.0.1:{}", free_port());
    let held = tokio::net::TcpListener::bind(&address).await.unwrap();
    let mut variables = app.variables().clone();
    variables.insert("SVC_METRICS_LISTEN".to_owned(), address.clone());
    let refused = run_program(&["serve"], &variables).await;
    assert_eq!(refused.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(stderr.contains(&format!("SVC_METRICS_LISTEN: {address} cannot be listened on")), "{stderr}");
    drop(held);
    let app = app.set("SVC_METRICS_LISTEN", &address).start().await;
    assert!(scrape(&address).await.contains("doorward_build_info{version="));
    assert_eq!(app.anonymous().get("/metrics").await.status, 404);
}
