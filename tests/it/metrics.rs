//! Prometheus metrics.

use crate::backup::doorward;
use crate::harness::{
    Answer, Engine, MailServer, Process, Receiver, ScriptedProvider, Step, TempDir, TestApp, Treatment, WEBHOOK_SECRET,
    eventually, free_port, run_program, snapshot, snapshot_of_command,
};
use crate::invitations::invite;
use crate::mail::inviter;
use crate::provider_logins;
use doorward::clock::Clock;
use doorward::domain::provider::fields::ProviderFields;
use reqwest::Method;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

both_engines![last_backup_has_a_time,];
one_engine![deliveries_are_counted, outcomes_are_counted, work_is_counted, settings_that_differ_are_counted,];

single_run![
    alerts_and_dashboard_name_documented_metrics,
    every_metric_is_documented,
    metrics_use_a_separate_listener,
    requests_add_no_series,
    runbooks_are_in_the_package,
];
if_installed![OpenSsl: outages_of_receiver_and_mail_server_are_counted];

/// The value of a sample, if it is exported.
pub fn value(page: &str, sample: &str) -> Option<f64> {
    page.lines().find_map(|line| line.strip_prefix(sample)?.strip_prefix(' ')?.parse().ok())
}

pub async fn scrape(address: &str) -> String {
    let url = format!("http://{address}/metrics");
    let response = eventually("the listener answers", async || reqwest::get(&url).await.ok()).await;
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    response.text().await.unwrap()
}

async fn deliveries_are_counted(engine: Engine) {
    let receiver = Receiver::start().await;
    receiver.answer_next([Answer::Status(204), Answer::Status(404), Answer::Close, Answer::Close]);
    let address = format!("127.0.0.1:{}", free_port());
    let builder = engine.prepare().await.webhooks(&receiver).set("SVC_METRICS_LISTEN", &address);
    let app = builder.set("SVC_WEBHOOK_RETRY_DELAYS", "90s").set("SVC_WEBHOOK_WORKER_COUNT", "1").start().await;
    assert_eq!(value(&scrape(&address).await, "doorward_webhook_delivered_total"), Some(0.0));
    app.sign_up("ada@example.com").await;
    let counted = async || {
        let page = scrape(&address).await;
        let is_counted = value(&page, "doorward_webhook_delivery_seconds_count") == Some(3.0);
        // An attempt is counted before its row says so.
        (is_counted && value(&page, "doorward_webhook_due{for_seconds=\"0\"}") == Some(0.0)).then_some(page)
    };
    let page = eventually("three attempts are counted and noted", counted).await;
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
    assert_eq!(value(&page, "doorward_webhook_oldest_due_seconds"), Some(0.0));
    assert_eq!(value(&page, "doorward_webhook_events_failed"), Some(1.0));
    // The row stays when the process that counted it has ended, and goes when it is sent again.
    let app = app.restart().await;
    let page = scrape(&address).await;
    assert_eq!(value(&page, "doorward_webhook_failed_total"), Some(0.0));
    assert_eq!(value(&page, "doorward_webhook_events_failed"), Some(1.0));
    let replayed = run_program(&["webhooks", "replay", "--failed", "--yes"], app.variables()).await;
    assert!(replayed.status.success(), "{replayed:?}");
    let sent = async || (value(&scrape(&address).await, "doorward_webhook_events_failed") == Some(0.0)).then_some(());
    eventually("nothing is failed", sent).await;
}

/// For the alerts of `deploy/prometheus/alerts.yml` on them: nobody listens for events, and the mail server refuses the
/// first email and is gone for the second.
async fn outages_of_receiver_and_mail_server_are_counted() {
    let mut mails = MailServer::start().await;
    mails.treat_next([Treatment::Say(Step::Recipient, "550 5.7.1 you are on a blocklist")]);
    let address = format!("127.0.0.1:{}", free_port());
    let builder = Engine::Sqlite.prepare().await.mails(&mails).set("SVC_METRICS_LISTEN", &address);
    let builder = builder.set("SVC_WEBHOOK_URL", format!("http://127.0.0.1:{}/", free_port()));
    let app = builder.set("SVC_WEBHOOK_SECRET", WEBHOOK_SECRET).start().await;
    let (ada, team) = inviter(&app).await;
    let counted = async |sample: &str| {
        let is_counted = async || (value(&scrape(&address).await, sample) > Some(0.0)).then_some(());
        eventually(sample, is_counted).await;
    };
    counted("doorward_webhook_attempts_total{outcome=\"connect\"}").await;
    invite(&ada, &team, "bob@example.com", "member").await;
    counted("doorward_mail_attempts_total{outcome=\"refused\"}").await;
    mails.go_down().await;
    invite(&ada, &team, "cy@example.com", "member").await;
    counted("doorward_mail_attempts_total{outcome=\"connect\"}").await;
    let page = scrape(&address).await;
    let arrived = ["doorward_webhook_delivered_total", "doorward_mail_delivered_total"];
    assert_eq!(arrived.map(|sample| value(&page, sample)), [Some(0.0); 2], "{page}");
}

async fn metrics_use_a_separate_listener() {
    let app = Engine::Sqlite.prepare().await;
    let address = format!("127.0.0.1:{}", free_port());
    let held = tokio::net::TcpListener::bind(&address).await.unwrap();
    let mut variables = app.variables().clone();
    variables.insert("SVC_METRICS_LISTEN".to_owned(), address.clone());
    let refused = run_program(&["serve"], &variables).await;
    snapshot_of_command("metrics/address_is_taken", &["serve"], &refused);
    drop(held);
    let app = app.set("SVC_METRICS_LISTEN", &address).start().await;
    assert!(scrape(&address).await.contains("doorward_build_info{version="));
    assert_eq!(app.anonymous().get("/metrics").await.status, 404);
}

struct Scraped {
    app: TestApp,
    address: String,
}

impl Scraped {
    async fn start(engine: Engine, variables: &[(&str, &str)]) -> Self {
        let address = format!("127.0.0.1:{}", free_port());
        let builder = engine.prepare().await.set("SVC_METRICS_LISTEN", &address);
        let builder = variables.iter().fold(builder, |builder, (variable, value)| builder.set(variable, *value));
        Self { app: builder.start().await, address }
    }

    async fn page(&self) -> String {
        scrape(&self.address).await
    }

    /// Fails unless these samples have these values, and no other of their metrics is above zero.
    async fn expect(&self, expected: &[(&str, f64)]) {
        let page = self.page().await;
        for (sample, count) in expected {
            assert_eq!(value(&page, sample), Some(*count), "{sample} in {page}");
        }
        let metrics: BTreeSet<&str> = expected.iter().map(|(sample, _)| metric_of(sample)).collect();
        let above_zero = samples(&page).filter(|(sample, count)| metrics.contains(metric_of(sample)) && *count != 0.0);
        let unexpected: Vec<_> =
            above_zero.filter(|(sample, _)| expected.iter().all(|(known, _)| known != sample)).collect();
        assert!(unexpected.is_empty(), "{unexpected:?}");
    }
}

/// The name of a sample without labels.
fn metric_of(sample: &str) -> &str {
    sample.split('{').next().unwrap()
}

/// Every sample of a page, whose form is checked: a number behind one space, and `# HELP` and `# TYPE` before each
/// metric.
fn samples(page: &str) -> impl Iterator<Item = (&str, f64)> {
    let described: BTreeSet<&str> =
        page.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect();
    page.lines().filter(|line| !line.starts_with('#')).map(move |line| {
        let (sample, number) = line.rsplit_once(' ').unwrap();
        let metric = metric_of(sample);
        let histogram = ["_bucket", "_sum", "_count"].iter().find_map(|end| metric.strip_suffix(end));
        assert!(described.contains(metric) || histogram.is_some_and(|name| described.contains(name)), "{line}");
        (sample, number.parse().unwrap())
    })
}

async fn outcomes_are_counted(engine: Engine) {
    let scraped = Scraped::start(engine, &[("SVC_REFRESH_ROTATION", "2h")]).await;
    let app = &scraped.app;
    let ada = app.sign_up("ada@example.com").await;
    let password = "a lighthouse in the fog";
    app.anonymous().log_in("ada@example.com", password).await.expect(303);
    app.anonymous().log_in("ada@example.com", "a lighthouse in the sun").await.expect(401);
    let thief = ada.copy();
    ada.refresh("app").await.expect(200);
    for _ in 0..2 {
        app.clock().advance(Duration::from_hours(2));
        ada.refresh("app").await.expect(200);
    }
    thief.refresh("app").await.expect_error(401, "unauthorized");
    app.anonymous().call(Method::GET, "/auth/api/v2/users").await.expect(401);
    scraped
        .expect(&[
            ("doorward_signups_total{outcome=\"created\"}", 1.0),
            ("doorward_logins_total{method=\"password\",outcome=\"opened\"}", 1.0),
            ("doorward_logins_total{method=\"password\",outcome=\"wrong\"}", 1.0),
            ("doorward_refreshes_total{verdict=\"kept\"}", 1.0),
            ("doorward_refreshes_total{verdict=\"replaced\"}", 2.0),
            ("doorward_refreshes_total{verdict=\"theft\"}", 1.0),
            ("doorward_api_key_checks_total{outcome=\"missing\"}", 1.0),
            ("doorward_factor_checks_total{factor=\"totp\",outcome=\"right\"}", 0.0),
            ("doorward_rate_limit_refusals_total{limit=\"passwords\"}", 0.0),
        ])
        .await;
    let page = scraped.page().await;
    let login = "route=\"/auth/login\"";
    let requests = |labels: &str| value(&page, &format!("doorward_http_requests_total{{{labels}}}"));
    assert_eq!(requests(&format!("method=\"POST\",{login},status=\"3xx\"")), Some(1.0), "{page}");
    assert_eq!(requests(&format!("method=\"POST\",{login},status=\"4xx\"")), Some(1.0), "{page}");
    let timed = format!("doorward_http_request_duration_seconds_count{{method=\"POST\",{login}}}");
    assert_eq!(value(&page, &timed), Some(2.0), "{page}");
    assert_eq!(value(&page, "doorward_http_requests_in_flight"), Some(0.0), "{page}");
    assert_eq!(value(&page, "doorward_audit_entries_total{kind=\"signed_in\"}"), Some(1.0), "{page}");
    assert_eq!(value(&page, "doorward_audit_entries_total{kind=\"reuse_detected\"}"), Some(1.0), "{page}");
}

async fn work_is_counted(engine: Engine) {
    let scraped = Scraped::start(engine, &[]).await;
    let ada = scraped.app.sign_up("ada@example.com").await;
    for _ in 0..3 {
        ada.api_user().await.expect(200);
    }
    let page = scraped.page().await;
    let count = |sample: &str| value(&page, sample);
    for sample in [
        "doorward_session_cache_failed_polls_total",
        "doorward_password_hashes_running",
        "doorward_password_hashes_waiting",
        "doorward_database_away",
        "doorward_database_connections_lost_total",
    ] {
        assert_eq!(count(sample), Some(0.0), "{sample}");
    }
    assert_eq!(count("doorward_session_cache_sessions"), Some(1.0));
    assert_eq!(count("doorward_password_hash_wait_seconds_count"), Some(1.0));
    assert!(count("doorward_database_connections_limit") > count("doorward_database_connections_in_use"));
    assert_eq!(count("doorward_database_disk_free_bytes").is_some(), engine == Engine::Sqlite);
    for sample in [
        "doorward_session_cache_hits_total",
        "doorward_session_cache_misses_total",
        "process_open_fds",
        "process_resident_memory_bytes",
        "process_start_time_seconds",
        "process_threads",
    ] {
        assert!(count(sample) > Some(0.0), "{sample} in {page}");
    }
}

async fn settings_that_differ_are_counted(engine: Engine) {
    let [first, second] = [(); 2].map(|()| format!("127.0.0.1:{}", free_port()));
    let builder = engine.prepare().await.set("SVC_METRICS_LISTEN", &first);
    let mut variables = builder.with_another_port();
    variables.insert("SVC_METRICS_LISTEN".to_owned(), second.clone());
    let _first = Process::start(builder.variables()).await;
    let differ = async |address: &str| value(&scrape(address).await, "doorward_settings_differ");
    let equal = Process::start(&variables).await;
    assert_eq!((differ(&first).await, differ(&second).await), (Some(0.0), Some(0.0)));
    drop(equal);
    variables.insert("SVC_JWT_ISSUER".to_owned(), "another".to_owned());
    let _second = Process::start(&variables).await;
    assert_eq!((differ(&first).await, differ(&second).await), (Some(0.0), Some(1.0)));
}

/// Of a SQLite file the command makes the backup; of PostgreSQL another does, and what it says follows.
async fn last_backup_has_a_time(engine: Engine) {
    let scraped = Scraped::start(engine, &[]).await;
    let last = async || {
        let seconds = value(&scraped.page().await, "doorward_last_backup_time_seconds").unwrap();
        Duration::from_secs_f64(seconds)
    };
    assert_eq!(last().await, Duration::ZERO);
    let began = Duration::from_secs(Clock::system().now().as_seconds().unsigned_abs());
    let folder = TempDir::new("backup");
    let file = folder.path().join("backup").display().to_string();
    let made = doorward(&["backup", &file], scraped.app.variables()).await;
    assert_eq!(made["recorded"], engine == Engine::Sqlite);
    if engine == Engine::Postgres {
        assert_eq!((made["next"].as_str(), last().await), (Some("doorward backup --record"), Duration::ZERO));
        assert_eq!(doorward(&["backup", "--record"], scraped.app.variables()).await["recorded"], true);
    }
    let at = last().await;
    assert!(at >= began && at < began + Duration::from_hours(1), "{at:?} after {began:?}");
}

/// An alert that wakes someone leads to a page that is there: in the source, and in the package.
async fn runbooks_are_in_the_package() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let (alerts, manifest) = (read("deploy/prometheus/alerts.yml"), read("Cargo.toml"));
    let runbooks: Vec<&str> = alerts.lines().filter_map(|line| line.trim().strip_prefix("runbook: ")).collect();
    assert_eq!(runbooks.len(), alerts.matches("- alert: ").count());
    for runbook in runbooks {
        let (page, heading) = runbook.split_once('#').unwrap();
        let headings = read(page).lines().filter_map(|line| line.strip_prefix("### ")).map(slug).collect::<Vec<_>>();
        assert!(headings.contains(&heading.to_owned()), "{runbook}");
        let folder = page.rsplit_once('/').unwrap().0;
        let asset = format!("[\"{folder}/*.*\", \"usr/share/doc/doorward/{folder}/\"");
        assert!(manifest.contains(&asset), "{page} is not in the package");
    }
}

fn slug(heading: &str) -> String {
    heading.to_lowercase().replace(' ', "-")
}

/// Ten thousand paths, hosts and methods that a stranger makes up.
async fn requests_add_no_series() {
    let scraped = Scraped::start(Engine::Sqlite, &[]).await;
    let names = |page: &str| samples(page).map(|(sample, _)| sample.to_owned()).collect::<BTreeSet<_>>();
    let attack = async |number: usize| {
        let method = Method::from_bytes(format!("M{number}").as_bytes()).unwrap();
        let client = scraped.app.anonymous();
        match number % 3 {
            0 => client.get(&format!("/auth/{number}")).await,
            1 => client.call(method, "/auth/login").await,
            _ => client.get("/auth/health").header("host", &format!("h{number}.example")).await,
        };
    };
    for number in 0..3 {
        attack(number).await;
    }
    let before = names(&scraped.page().await);
    for number in 3..10_000 {
        attack(number).await;
    }
    assert_eq!(names(&scraped.page().await), before);
}

/// Each metric is in docs/reference/metrics.md, and what is there is a metric.
async fn every_metric_is_documented() {
    let document = include_str!("../../docs/reference/metrics.md");
    let receiver = Receiver::start().await;
    let address = format!("127.0.0.1:{}", free_port());
    let builder = Engine::Sqlite.prepare().await.webhooks(&receiver).set("SVC_METRICS_LISTEN", &address);
    let builder = builder.set("SVC_SMTP_URL", "smtp://localhost:9").set("SVC_MAIL_FROM", "accounts@example.com");
    let app = builder.start().await;
    app.anonymous().get("/auth/login").await.expect(200);
    // A provider has no series before its first login.
    let provider = ScriptedProvider::start().await;
    provider_logins::add_as(&app, &provider, "dev", ProviderFields::default()).await;
    app.anonymous().get("/auth/login/with/dev").await.expect(303);
    let page = scrape(&address).await;
    snapshot("metrics/names", &names(&page));
    let described: BTreeSet<&str> =
        page.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect();
    let is_described = |name: &str| document.contains(name) || is_abridged(document, name);
    for metric in &described {
        // Those of emails are described as those of webhooks.
        let of_webhooks = metric.replacen("doorward_mail_", "doorward_webhook_", 1);
        assert!(is_described(metric) || is_described(&of_webhooks), "{metric} is not in docs/reference/metrics.md");
    }
    for name in words(document).filter(|word| is_metric(word)) {
        assert!(described.contains(name), "{name} is in docs/reference/metrics.md only");
    }
}

/// Help and type of each metric, and the names of its labels.
fn names(page: &str) -> String {
    let mut labels: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (sample, _) in samples(page) {
        let pairs = sample.split_once('{').map_or("", |(_, rest)| rest.trim_end_matches('}'));
        let names = pairs.split("\",").filter_map(|pair| pair.split_once('=')).map(|(name, _)| name);
        labels.entry(metric_of(sample)).or_default().extend(names);
    }
    let mut text = page.lines().filter(|line| line.starts_with('#')).collect::<Vec<_>>().join("\n");
    text.push_str("\n\n");
    for (sample, names) in labels.iter().filter(|(_, names)| !names.is_empty()) {
        writeln!(text, "{sample} {}", names.iter().copied().collect::<Vec<_>>().join(" ")).unwrap();
    }
    text
}

/// Alerts and dashboard ask for metrics that exist.
async fn alerts_and_dashboard_name_documented_metrics() {
    let document = include_str!("../../docs/reference/metrics.md");
    let files = [
        include_str!("../../deploy/prometheus/alerts.yml"),
        include_str!("../../deploy/prometheus/alerts_test.yml"),
        include_str!("../../deploy/grafana/doorward.json"),
    ];
    let mut metrics = 0;
    for name in files.iter().flat_map(|file| words(file)).filter(|word| is_metric(word)) {
        let name = ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        let mail = name.replacen("doorward_mail_", "doorward_webhook_", 1);
        let is_described = [name, &mail].iter().any(|name| document.contains(name) || is_abridged(document, name));
        assert!(is_described, "{name} is not in docs/reference/metrics.md");
        metrics += 1;
    }
    assert!(metrics > 100, "{metrics}");
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
}

fn is_metric(word: &str) -> bool {
    word.starts_with("doorward_") && !word.ends_with('_')
}

/// Whether the end of a name stands behind an ellipsis, as in `…_misses_total`.
fn is_abridged(document: &str, metric: &str) -> bool {
    let ends = metric.match_indices('_').map(|(at, _)| &metric[at..]);
    ends.into_iter().any(|end| document.contains(&format!("`…{end}`")))
}
