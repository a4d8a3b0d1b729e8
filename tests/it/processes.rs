//! The real program: SIGKILL, graceful shutdown, concurrent start, and the CLI beside a running service.

use crate::harness::{
    Builder, Client, Engine, Process, Receiver, WEBHOOK_SECRET, eventually, run_process, run_program, snapshot,
};
use doorward::domain::other_processes::compare;
use std::collections::BTreeMap;
use std::time::Duration;

both_engines![
    sigkill_loses_no_confirmed_write,
    sigterm_and_sigint_shut_down_gracefully,
    two_processes_start_at_once_on_empty_database,
    mails_of_commands_have_the_brand_of_the_service,
    cli_works_beside_running_service,
    logins_do_not_grow_memory,
    process_without_webhooks_beside_one_with_them_stores_events,
    process_without_webhooks_alone_switches_them_off,
    webhooks_end_with_last_sign_of_life,
    process_with_other_settings_warns,
];
single_run![
    service_starts_without_settings,
    secrets_are_not_printed,
    crash_leaves_no_secrets_on_the_disk,
    log_lines_of_a_request_have_its_id,
    json_log_is_json_throughout,
    start_line_follows_the_filter,
    client_address_is_logged_where_asked_for,
];

async fn sigkill_loses_no_confirmed_write(engine: Engine) {
    let builder = engine.prepare().await.set("SVC_RATE_LIMIT", "off");
    let process = Process::start(builder.variables()).await;
    let ada = builder.anonymous();
    ada.sign_up("ada@example.com").await.expect(303);
    let tab = ada.copy();
    let mut visitors = tokio::task::JoinSet::new();
    for number in 0..20 {
        let visitor = builder.anonymous();
        visitors.spawn(async move {
            let email = format!("user{number}@example.com");
            // A killed server does not respond, not even to the GET.
            let page = visitor.get("/auth/signup").try_send().await.ok()?;
            let token = page.cookie("svc_csrf")?.value;
            let fields = [("email", email.as_str()), ("password", "a lighthouse in the fog"), ("csrf_token", &token)];
            let reply = visitor.form("/auth/signup", &fields).try_send().await.ok()?;
            (reply.status == 303).then_some(visitor)
        });
    }
    let refreshed = ada.refresh("app").await.expect(200).cookie("svc_refresh").unwrap().value;
    let first = visitors.join_next().await.unwrap().unwrap().expect("the first response came before the kill");
    process.kill();
    let confirmed: Vec<Client> = visitors.join_all().await.into_iter().flatten().chain([first]).collect();
    let _process = Process::start(builder.variables()).await;
    for visitor in &confirmed {
        visitor.api_user().await.expect(200);
    }
    ada.api_user().await.expect(200);
    assert_eq!(tab.refresh("app").await.expect(200).cookie("svc_refresh").unwrap().value, refreshed);
}

/// The memory of one hash per core stays allocated, no matter how many threads hashed.
async fn logins_do_not_grow_memory(engine: Engine) {
    let builder = engine.prepare().await.set("SVC_RATE_LIMIT", "off");
    let process = Process::start(builder.variables()).await;
    builder.anonymous().sign_up("ada@example.com").await.expect(303);
    let before = process.memory_kib();
    for _ in 0..8 {
        let mut visitors = tokio::task::JoinSet::new();
        for _ in 0..16 {
            let visitor = builder.anonymous();
            visitors
                .spawn(async move { visitor.log_in("ada@example.com", "a lighthouse in the fog").await.expect(303) });
        }
        visitors.join_all().await;
    }
    let cores = u64::try_from(std::thread::available_parallelism().unwrap().get()).unwrap();
    let growth = process.memory_kib().saturating_sub(before);
    assert!(growth < cores * 19 * 1024 + 24 * 1024, "{growth} KiB more on {cores} cores");
}

async fn sigterm_and_sigint_shut_down_gracefully(engine: Engine) {
    for signal in ["TERM", "INT"] {
        let builder = engine.prepare().await;
        let mut process = Process::start(builder.variables()).await;
        let ada = builder.anonymous();
        ada.sign_up("ada@example.com").await.expect(303);
        process.signal(signal);
        assert_eq!(process.wait().await.code(), Some(0), "{}", process.stderr());
        let _process = Process::start(builder.variables()).await;
        ada.api_user().await.expect(200);
    }
}

async fn two_processes_start_at_once_on_empty_database(engine: Engine) {
    let builder = engine.prepare().await.on_empty_database().await;
    let other = builder.with_another_port();
    let (mut first, mut second) = (Process::spawn(builder.variables()), Process::spawn(&other));
    first.wait_until_ready(&builder.variables()["SVC_LISTEN"]).await;
    second.wait_until_ready(&other["SVC_LISTEN"]).await;
    let ada = builder.anonymous();
    ada.sign_up("ada@example.com").await.expect(303);
    let elsewhere = ada.at(&format!("http://{}", other["SVC_LISTEN"]));
    assert_eq!(elsewhere.api_user().await.expect(200).json()["email"], "ada@example.com");
    elsewhere.refresh("app").await.expect(200);
    ada.api_user().await.expect(200);
    assert_eq!(builder.database().count("SELECT count(*) FROM signing_keys").await, 1);
}

async fn webhooks_of(builder: &Builder) -> i64 {
    builder.database().count("SELECT count(*) FROM instance WHERE webhooks").await
}

fn without_webhooks(mut variables: BTreeMap<String, String>) -> BTreeMap<String, String> {
    variables.retain(|name, _| !name.starts_with("SVC_WEBHOOK_"));
    variables
}

async fn process_without_webhooks_beside_one_with_them_stores_events(engine: Engine) {
    let receiver = Receiver::start().await;
    let builder = engine.prepare().await.webhooks(&receiver).set("SVC_WEBHOOK_ENABLED_EVENTS", "user.created");
    let _with = Process::start(builder.variables()).await;
    let variables = without_webhooks(builder.with_another_port());
    let without = Process::start(&variables).await;
    let log = without.stderr();
    assert!(log.contains("stores its events") && log.contains("SVC_WEBHOOK_URL"), "{log}");
    let there = format!("http://{}", variables["SVC_LISTEN"]);
    builder.anonymous().at(&there).sign_up("ada@example.com").await.expect(303);
    assert_eq!(receiver.wait_for(1).await[0].header("x-svc-event"), Some("user.created"));
    assert_eq!(webhooks_of(&builder).await, 1);
}

async fn process_without_webhooks_alone_switches_them_off(engine: Engine) {
    let receiver = Receiver::start().await;
    let builder = engine.prepare().await.webhooks(&receiver);
    let mut with = Process::start(builder.variables()).await;
    assert_eq!(webhooks_of(&builder).await, 1);
    with.signal("TERM");
    with.wait().await;
    let variables = without_webhooks(builder.variables().clone());
    let without = Process::start(&variables).await;
    assert!(!without.stderr().contains("stores its events"), "{}", without.stderr());
    assert_eq!(webhooks_of(&builder).await, 0);
    builder.anonymous().sign_up("ada@example.com").await.expect(303);
    assert_eq!(builder.database().count("SELECT count(*) FROM outbox").await, 0);
    let output = run_program(&["user", "disable", "ada"], &variables).await;
    assert!(output.status.success(), "{output:?}");
}

/// A process that was killed counts as running for a minute.
async fn webhooks_end_with_last_sign_of_life(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").without_background().start().await;
    let (url, secret) = (receiver.url(), WEBHOOK_SECRET);
    let with = app.second_process_with(&[("SVC_WEBHOOK_URL", &url), ("SVC_WEBHOOK_SECRET", secret)]).await;
    compare(&with.app).await.unwrap();
    for (seconds, events) in [(0, 1), (40, 2), (30, 2)] {
        app.clock().advance(Duration::from_secs(seconds));
        compare(&app.app).await.unwrap();
        app.sign_up(&format!("ada{seconds}@example.com")).await;
        let stored = app.database().count("SELECT count(*) FROM outbox WHERE kind = 'user.created'").await;
        assert_eq!(stored, events, "after {seconds} more seconds");
    }
}

async fn process_with_other_settings_warns(engine: Engine) {
    let builder = engine.prepare().await;
    let _first = Process::start(builder.variables()).await;
    let equal = Process::start(&builder.with_another_port()).await;
    assert!(!equal.stderr().contains("other settings"), "{}", equal.stderr());
    let mut variables = builder.with_another_port();
    let changes = [("SVC_JWT_ISSUER", "https://other.example"), ("SVC_ORG_MODE", "personal"), ("SVC_AUDIENCES", "web")];
    variables.extend(changes.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let other = Process::start(&variables).await;
    let log = other.stderr();
    let warning = log.lines().find(|line| line.contains("other settings")).unwrap_or_else(|| panic!("{log}"));
    snapshot("start/other_settings", warning);
    // What is stored tells no secret.
    let stored = builder.database().texts("SELECT settings FROM processes").await;
    assert!(stored[0].contains("JWT_ISSUER"), "{stored:?}");
    assert!(!stored[0].contains(&builder.variables()["SVC_SECRET_KEY"]), "{stored:?}");
}

/// An operator's shell need not have what mails look like.
async fn mails_of_commands_have_the_brand_of_the_service(engine: Engine) {
    let brand =
        [("SVC_BRAND_NAME", "Acme"), ("SVC_BRAND_COLOR", "#635bff"), ("SVC_SUPPORT_URL", "https://acme.example/")];
    let builder = engine.prepare().await;
    let mut variables = builder.variables().clone();
    variables.extend(brand.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let mut process = Process::start(&variables).await;
    let mail_to = async |email: &str| {
        for command in [["user", "create", email].as_slice(), &["user", "send-password-reset", email]] {
            let done = run_program(command, builder.variables()).await;
            assert!(done.status.success(), "{done:?}");
        }
        let listed = run_program(&["--json", "mail", "list", "--to", email], builder.variables()).await;
        let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
        let shown =
            run_program(&["mail", "show", listed["data"][0]["id"].as_str().unwrap()], builder.variables()).await;
        String::from_utf8(shown.stdout).unwrap()
    };
    let mail = mail_to("ada@example.com").await;
    assert!(mail.contains("for ada@example.com at Acme.") && mail.contains("Help: https://acme.example/"), "{mail}");
    assert!(!mail.contains("Doorward"), "{mail}");
    process.signal("TERM");
    process.wait().await;
    // Nobody to ask: the command has its own settings alone.
    let mail = mail_to("bob@example.com").await;
    assert!(mail.contains("for bob@example.com at Doorward."), "{mail}");
}

async fn cli_works_beside_running_service(engine: Engine) {
    let builder = engine.prepare().await;
    let _process = Process::start(builder.variables()).await;
    let run = async |arguments: &[&str]| {
        let output = run_process(arguments, builder.variables(), "").await;
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    let created = run(&["--json", "user", "create", "--email", "ada@example.com", "--role", "admin"]).await;
    let ada = builder.anonymous();
    ada.log_in("ada@example.com", created["password"].as_str().unwrap()).await.expect(303);
    ada.refresh("admin").await.expect(200);
    assert_eq!(ada.api_user().await.expect(200).json()["roles"], serde_json::json!(["svc:admin"]));
    run(&["--json", "user", "create", "--email", "eve@example.com", "--role", "admin"]).await;
    run(&["--json", "user", "disable", "ada@example.com"]).await;
    let refused = async || (ada.api_user().await.status == 401).then_some(());
    eventually("the disabled user is refused", refused).await;
    ada.api_user().await.expect_error(401, "unauthorized");
    run(&["--json", "user", "enable", "ada@example.com"]).await;
    let listed = run(&["--json", "user", "list"]).await;
    assert_eq!(listed["data"].as_array().map(Vec::len), Some(2), "{listed}");
    run(&["--json", "keys", "rotate"]).await;
    let keys = builder.anonymous().get("/auth/.well-known/jwks.json").await.expect(200).json();
    assert!(keys["keys"].as_array().is_some_and(|keys| !keys.is_empty()), "{keys}");
}

async fn service_starts_without_settings() {
    let builder = Engine::Sqlite.prepare().await;
    let mut variables = builder.variables().clone();
    // The default port may be in use.
    variables.retain(|name, _| ["SVC_LISTEN", "SVC_BASE_URL"].contains(&name.as_str()));
    let process = Process::start(&variables).await;
    snapshot("start/without_settings", &format!("{}\n{}", process.stdout(), process.stderr()));
    let ada = builder.anonymous();
    ada.sign_up("ada@example.com").await.expect(303);
    ada.api_user().await.expect(200);
}

/// Runs a service that logs JSON for one login; returns everything it printed.
async fn json_log(variables: &[(&str, &str)]) -> Vec<serde_json::Value> {
    let builder = Engine::Sqlite.prepare().await.set("SVC_LOG_FORMAT", "json").set("SVC_LOG", "debug");
    let builder = variables.iter().fold(builder, |builder, (name, value)| builder.set(name, *value));
    let mut process = Process::start(builder.variables()).await;
    let ada = builder.anonymous();
    ada.sign_up("ada@example.com").await.expect(303);
    ada.get("/auth/account").header("x-forwarded-for", "203.0.113.9").await.expect(200);
    // The line of a request may come after its answer; all have come when the process has ended.
    process.signal("TERM");
    process.wait().await;
    let printed = process.stdout() + &process.stderr();
    printed.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}"))).collect()
}

/// The fields of the requests for this route.
fn requests<'a>(log: &'a [serde_json::Value], route: &str) -> Vec<&'a serde_json::Value> {
    let is_request = |line: &&serde_json::Value| line["target"] == "doorward::access";
    let found: Vec<_> =
        log.iter().filter(is_request).map(|line| &line["fields"]).filter(|fields| fields["route"] == route).collect();
    assert!(!found.is_empty(), "no line for {route}: {log:?}");
    found
}

async fn start_line_follows_the_filter() {
    for (filter, lines) in [("warn", 0), ("warn,doorward::cli::serve=info", 1)] {
        let log = json_log(&[("SVC_LOG", filter)]).await;
        let starts = log.iter().filter(|line| line["fields"]["message"] == "listening");
        assert_eq!(starts.count(), lines, "{log:?}");
    }
}

async fn json_log_is_json_throughout() {
    let log = json_log(&[]).await;
    let starts: Vec<_> = log.iter().filter(|line| line["fields"]["message"] == "listening").collect();
    assert_eq!(starts.len(), 1);
    snapshot("start/listening_json", &format!("{:#}", starts[0]));
    for fields in requests(&log, "/auth/account") {
        assert!(fields["micros"].is_u64() && fields["status"] == 200, "{fields}");
        assert!(fields.get("client").is_none(), "an address is logged on request only: {fields}");
    }
}

async fn client_address_is_logged_where_asked_for() {
    let trusted = [("SVC_LOG_CLIENT_ADDRESS", "on"), ("SVC_TRUSTED_PROXIES", "127.0.0.1")];
    let log = json_log(&trusted).await;
    assert_eq!(requests(&log, "/auth/account")[0]["client"], "203.0.113.9");
    assert_eq!(requests(&log, "/auth/signup")[0]["client"], "127.0.0.1");
}

async fn secrets_are_not_printed() {
    let builder = Engine::Sqlite.prepare().await.set("SVC_LOG", "trace");
    let process = Process::start(builder.variables()).await;
    let ada = builder.anonymous();
    ada.sign_up("ada@example.com").await.expect(303);
    let mut secrets: Vec<String> =
        ["access", "refresh", "csrf"].iter().filter_map(|suffix| ada.token(suffix)).collect();
    ada.refresh("app").await.expect(200);
    secrets.extend(["access", "refresh"].iter().filter_map(|suffix| ada.token(suffix)));
    secrets.push("a lighthouse in the fog".to_owned());
    secrets.push(builder.variables()["SVC_SECRET_KEY"].clone());
    ada.log_in("ada@example.com", "a lighthouse in the fog").await;
    ada.log_out().await;
    let printed = process.stdout() + &process.stderr();
    assert!(printed.len() > 1000, "no log: {printed}");
    for secret in secrets {
        assert!(!printed.contains(&secret), "{secret} was printed");
    }
}

/// A core dump would hold the secret key, and the password of a signup a moment before.
async fn crash_leaves_no_secrets_on_the_disk() {
    let builder = Engine::Sqlite.prepare().await;
    let process = Process::start_with_limit(builder.variables(), "-c unlimited").await;
    let limits = process.limits();
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    assert_eq!(core.split_whitespace().skip(4).take(2).collect::<Vec<_>>(), ["0", "0"], "{core}");
}

/// Also those that a use case writes, which knows nothing of requests.
async fn log_lines_of_a_request_have_its_id() {
    for format in ["text", "json"] {
        let builder = Engine::Sqlite.prepare().await.set("SVC_LOG_FORMAT", format);
        let process = Process::start(builder.variables()).await;
        let reply = builder.anonymous().sign_up("ada@example.com").await.expect(303);
        let id = reply.header("x-request-id").unwrap().to_owned();
        for text in ["account created", "doorward::access"] {
            let line = eventually("logged", async || {
                let log = process.stderr();
                log.lines().find(|line| line.contains(text) && line.contains(&id)).map(str::to_owned)
            })
            .await;
            let field = if format == "json" { format!("\"request\":\"{id}\"") } else { format!("request={id}") };
            assert!(line.contains(&field) && line.contains("POST") && line.contains("/auth/signup"), "{line}");
        }
    }
}
