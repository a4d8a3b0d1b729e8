//! The real program: killed, stopped, started twice, and with the command line beside it.

use crate::harness::{Client, Engine, Process, run_program};
use std::time::Duration;

both![
    kill_nine_keeps_what_was_answered,
    sigterm_ends_in_order,
    two_may_start_at_once_on_an_empty_database,
    the_command_line_works_beside_the_service,
    log_ins_leave_no_memory_behind,
];
once![bad_settings_stop_the_start_in_one_go, nothing_set_is_enough, nothing_secret_is_printed,];

async fn kill_nine_keeps_what_was_answered(engine: Engine) {
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
            // A killed server does not answer, and a page may not have come.
            let page = visitor.get("/auth/signup").try_send().await.ok()?;
            let token = page.cookie("svc_csrf")?.value;
            let fields = [("email", email.as_str()), ("password", "a lighthouse in the fog"), ("csrf_token", &token)];
            let reply = visitor.form("/auth/signup", &fields).try_send().await.ok()?;
            (reply.status == 303).then_some(visitor)
        });
    }
    let refreshed = ada.refresh("app").await.expect(200).cookie("svc_refresh").unwrap().value;
    tokio::time::sleep(Duration::from_millis(100)).await;
    process.kill();
    let answered: Vec<Client> = visitors.join_all().await.into_iter().flatten().collect();
    let _process = Process::start(builder.variables()).await;
    for visitor in &answered {
        visitor.api_user().await.expect(200);
    }
    ada.api_user().await.expect(200);
    assert_eq!(tab.refresh("app").await.expect(200).cookie("svc_refresh").unwrap().value, refreshed);
}

/// However many threads hashed: as many pieces of memory as hashes ran at once stay, and no more.
async fn log_ins_leave_no_memory_behind(engine: Engine) {
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
    let grown = process.memory_kib().saturating_sub(before);
    assert!(grown < cores * 19 * 1024 + 24 * 1024, "{grown} KiB more on {cores} cores");
}

async fn sigterm_ends_in_order(engine: Engine) {
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

async fn two_may_start_at_once_on_an_empty_database(engine: Engine) {
    let builder = engine.prepare().await.on_empty_database().await;
    let other = builder.on_another_port();
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

async fn the_command_line_works_beside_the_service(engine: Engine) {
    let builder = engine.prepare().await;
    let _process = Process::start(builder.variables()).await;
    let run = async |arguments: &[&str]| {
        let output = run_program(arguments, builder.variables()).await;
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    let created = run(&["--json", "user", "create", "--email", "ada@example.com", "--role", "admin"]).await;
    let ada = builder.anonymous();
    ada.log_in("ada@example.com", created["password"].as_str().unwrap()).await.expect(303);
    ada.refresh("admin").await.expect(200);
    assert_eq!(ada.api_user().await.expect(200).json()["roles"], serde_json::json!(["svc:admin"]));
    run(&["--json", "user", "disable", "ada@example.com"]).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    ada.api_user().await.expect_error(401, "unauthorized");
    run(&["--json", "user", "enable", "ada@example.com"]).await;
    let listed = run(&["--json", "user", "list"]).await;
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
    run(&["--json", "keys", "rotate"]).await;
    let keys = builder.anonymous().get("/auth/.well-known/jwks.json").await.expect(200).json();
    assert!(keys["keys"].as_array().is_some_and(|keys| !keys.is_empty()), "{keys}");
}

async fn bad_settings_stop_the_start_in_one_go() {
    let builder = Engine::Sqlite.prepare().await;
    let builder = builder
        .set("SVC_ACCESS_TTL", "600")
        .set("SVC_ORG_MODE", "sometimes")
        .set("SVC_WEBHOOK_SECRET", "a secret without a URL")
        .set("SVC_ACESS_TTL", "5m");
    let output = run_program(&["serve"], builder.variables()).await;
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    for word in ["SVC_ACCESS_TTL", "\"600\"", "SVC_ORG_MODE", "sometimes", "SVC_WEBHOOK_URL", "SVC_ACESS_TTL"] {
        assert!(said.contains(word), "{word}: {said}");
    }
    assert!(!said.contains("a secret without"), "{said}");
}

async fn nothing_set_is_enough() {
    let builder = Engine::Sqlite.prepare().await;
    let mut variables = builder.variables().clone();
    // The usual port may be in use on the machine that runs this.
    variables.retain(|name, _| ["SVC_LISTEN", "SVC_BASE_URL"].contains(&name.as_str()));
    let process = Process::start(&variables).await;
    let said = process.stdout();
    for word in ["/auth/signup", "SVC_WEBHOOK_URL", "SVC_SMTP_URL", "SQLite"] {
        assert!(said.contains(word), "{word}: {said}");
    }
    let ada = builder.anonymous();
    ada.sign_up("ada@example.com").await.expect(303);
    ada.api_user().await.expect(200);
}

async fn nothing_secret_is_printed() {
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
