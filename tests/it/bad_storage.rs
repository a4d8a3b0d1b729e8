//! Lost databases and full disks: there are no partial writes, and the service recovers without a restart.

use crate::harness::{Builder, Client, Engine, Process, Proxy, Reply, TestDatabase, eventually, report, run_program};
use reqwest::Method;
use std::net::{IpAddr, Ipv6Addr, SocketAddr, TcpListener};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::task::JoinSet;

once_on_postgres![
    service_recovers_from_lost_database_server,
    connection_closed_during_handshake_returns_503,
    terminated_connections_return_503_until_reconnected,
    database_that_cannot_serve_returns_503,
    server_lost_mid_transaction_leaves_no_partial_writes,
    server_is_reached_by_ipv6,
    password_that_ends_the_url_is_explained,
];
single_run![
    service_recovers_from_locked_sqlite_file,
    service_recovers_from_full_disk,
    log_of_a_burst_gives_its_room_back,
];

const PASSWORD: &str = "a lighthouse in the fog";

/// Fails unless every account is complete: user, organization, membership and session.
async fn expect_whole_accounts(database: &TestDatabase) -> i64 {
    let users = database.count("SELECT count(*) FROM users").await;
    let whole = "SELECT count(*) FROM users u WHERE EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = u.id) \
        AND EXISTS (SELECT 1 FROM memberships m JOIN organizations o ON o.id = m.organization_id \
        WHERE m.user_id = u.id AND o.created_by_user_id = u.id)";
    assert_eq!(database.count(whole).await, users);
    for table in ["organizations", "memberships", "sessions"] {
        assert_eq!(database.count(&format!("SELECT count(*) FROM {table}")).await, users, "{table}");
    }
    users
}

/// Signs up a new user and returns the response.
async fn try_sign_up(client: &Client, number: usize) -> Reply {
    client.sign_up(&format!("user{number}@example.com")).await
}

#[track_caller]
fn expect_fault(reply: &Reply) {
    let is_json = reply.header("content-type") == Some("application/json");
    assert_eq!(reply.status, if is_json { 500 } else { 503 }, "{}", reply.text());
    assert_eq!(reply.header("retry-after"), Some("5"), "{}", reply.text());
    assert!(["svc_access", "svc_refresh"].iter().all(|name| reply.cookie(name).is_none()), "{:?}", reply.headers);
    assert!(!reply.text().contains("sqlx") && !reply.text().contains("sqlite"), "{}", reply.text());
}

/// A service to be started that connects to its database server through a proxy.
pub async fn behind_proxy() -> (Proxy, Builder) {
    let builder = Engine::Postgres.prepare().await;
    let server = builder.database().server_address().to_owned();
    let proxy = Proxy::start(&server).await;
    let url = builder.database().url().replace(&server, &proxy.address().to_string());
    (proxy, builder.set("SVC_DATABASE_URL", url))
}

async fn service_recovers_from_lost_database_server() {
    let (proxy, builder) = behind_proxy().await;
    let app = builder.start().await;
    let ada = app.sign_up("ada@example.com").await;
    let (refresh, visitor) = (ada.token("refresh"), app.anonymous());
    visitor.get("/auth/login").await.expect(200);
    let created = run_program(&["--json", "api-key", "create", "k", "--scope", "users:write"], app.variables()).await;
    let key: serde_json::Value = serde_json::from_slice(&created.stdout).unwrap();
    let key = format!("Bearer {}", key["key"].as_str().unwrap());
    proxy.cut();
    for (call, credential) in [
        (ada.get("/auth/api/v2/session"), "none"),
        (visitor.get("/auth/api/v2/users"), key.as_str()),
        (visitor.call(Method::POST, "/auth/api/v2/users").body("{}"), key.as_str()),
    ] {
        let reply = call.header("authorization", credential).await.expect_error(503, "unavailable");
        assert!(reply.header("retry-after").is_some(), "{:?}", reply.headers);
    }
    app.anonymous().get("/auth/health").await.expect(200);
    app.anonymous().get("/auth/ready").await.expect(503);
    expect_fault(&ada.api_user().await);
    expect_fault(&ada.refresh("app").await.expect_error(500, "internal_error"));
    expect_fault(&visitor.log_in("ada@example.com", PASSWORD).await);
    expect_fault(&try_sign_up(&visitor, 1).await);
    expect_fault(&ada.log_out().await);
    assert_eq!(ada.token("refresh"), refresh);
    proxy.restore();
    eventually("ready again", async || (app.anonymous().get("/auth/ready").await.status == 200).then_some(())).await;
    ada.api_user().await.expect(200);
    assert!(ada.refresh("app").await.expect(200).cookie("svc_refresh").is_some());
    visitor.log_in("ada@example.com", PASSWORD).await.expect(303);
    assert_eq!(app.database().count("SELECT count(*) FROM users").await, 1);
}

async fn connection_closed_during_handshake_returns_503() {
    let (proxy, builder) = behind_proxy().await;
    let app = builder.start().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.get("/auth/account").await.expect(200);
    proxy.cut_all().await;
    // The first requests may still find broken connections in the pool; the others open new ones.
    for _ in 0..10 {
        let page = ada.get("/auth/account").await.expect(503);
        assert!(page.header("retry-after").is_some(), "{:?}", page.headers);
    }
    proxy.restore();
    eventually("the page", async || (ada.get("/auth/account").await.status == 200).then_some(())).await;
}

/// As in a restart of the server, which announces it on every connection before closing it.
async fn terminated_connections_return_503_until_reconnected() {
    let app = Engine::Postgres.app().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.get("/auth/account").await.expect(200);
    let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
        WHERE application_name = 'doorward' AND datname = current_database()";
    assert!(app.database().count(end).await > 0);
    let page = async || {
        let page = ada.get("/auth/organizations").await;
        assert!(page.status == 200 || page.status == 503 && page.header("retry-after").is_some(), "{}", page.status);
        (page.status == 200).then_some(())
    };
    eventually("the page", page).await;
}

/// What PostgreSQL says when it is read-only, full, overloaded, stopping, or waits for others for too long.
async fn database_that_cannot_serve_returns_503() {
    let app = Engine::Postgres.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let database = app.database();
    database.execute("CREATE TABLE refusal (code text)").await;
    let refuse = "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
        RAISE 'not now' USING ERRCODE = (SELECT code FROM refusal); END $$";
    database.execute(refuse).await;
    database.execute("CREATE TRIGGER refuse BEFORE UPDATE ON sessions EXECUTE FUNCTION refuse()").await;
    database.execute("INSERT INTO refusal VALUES ('')").await;
    for code in ["25006", "55P03", "57014", "57P01", "57P03", "53100", "53300", "40001", "40P01", "28P01", "08006"] {
        database.execute(&format!("UPDATE refusal SET code = '{code}'")).await;
        expect_fault(&ada.refresh("app").await.expect_error(500, "internal_error"));
        expect_fault(&ada.log_out().await);
    }
    database.execute("DROP TRIGGER refuse ON sessions").await;
    ada.refresh("app").await.expect(200);
}

async fn server_lost_mid_transaction_leaves_no_partial_writes() {
    let (proxy, builder) = behind_proxy().await;
    let app = builder.start().await;
    let mut sign_ups = JoinSet::new();
    let begin = async |numbers: Range<usize>, sign_ups: &mut JoinSet<u16>| {
        for number in numbers {
            let visitor = app.anonymous();
            visitor.get("/auth/signup").await.expect(200);
            sign_ups.spawn(async move { try_sign_up(&visitor, number).await.status });
        }
    };
    begin(0..10, &mut sign_ups).await;
    let mut statuses = vec![sign_ups.join_next().await.unwrap().unwrap()];
    // The others block between inserting the user and inserting the membership.
    let lock = app.database().hold_table("memberships").await;
    begin(10..30, &mut sign_ups).await;
    app.database().wait_for_blocked(5).await;
    proxy.cut();
    while statuses.last() == Some(&303) {
        statuses.push(sign_ups.join_next().await.unwrap().unwrap());
    }
    proxy.restore();
    lock.release().await;
    statuses.extend(sign_ups.join_all().await);
    assert_eq!(statuses[0], 303);
    let answered = statuses.iter().filter(|status| **status == 303).count();
    assert!(statuses.iter().all(|status| [303, 500, 503].contains(status)), "{statuses:?}");
    let users = expect_whole_accounts(app.database()).await;
    // Where the response to COMMIT was lost, the account exists although the visitor got an error.
    assert!(usize::try_from(users).unwrap() >= answered, "{users} of {answered}");
    // Broken connections are detected one by one.
    let late = app.anonymous();
    eventually("a sign-up", async || (late.sign_up("ada@example.com").await.status == 303).then_some(())).await;
    late.api_user().await.expect(200);
}

async fn service_recovers_from_locked_sqlite_file() {
    let app = Engine::Sqlite.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let lock = app.database().hold_writes().await;
    let visitor = app.anonymous();
    visitor.get("/auth/signup").await.expect(200);
    let (refreshed, signed_up) = tokio::join!(ada.refresh("app").into_future(), try_sign_up(&visitor, 1));
    expect_fault(&refreshed.expect_error(500, "internal_error"));
    expect_fault(&signed_up);
    ada.api_user().await.expect(200);
    lock.close().await.unwrap();
    assert!(ada.refresh("app").await.expect(200).cookie("svc_refresh").is_some());
    try_sign_up(&visitor, 1).await.expect(303);
    assert_eq!(expect_whole_accounts(app.database()).await, 2);
}

/// As a large clean-up does, while a reader keeps the log from being used again.
async fn log_of_a_burst_gives_its_room_back() {
    const LIMIT: u64 = 16 * 1024 * 1024;
    let app = Engine::Sqlite.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let path = app.database().url().strip_prefix("sqlite:").unwrap().to_owned();
    let size = || std::fs::metadata(format!("{path}-wal")).unwrap().len();
    let reader = sqlx::SqlitePool::connect(app.database().url()).await.unwrap();
    let mut reading = reader.begin().await.unwrap();
    sqlx::query("SELECT count(*) FROM users").execute(&mut *reading).await.unwrap();
    let burst = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) \
        INSERT INTO limits (id, at, failures, expires_at) SELECT randomblob(200), 0, 0, 1 << 60 FROM n";
    app.database().execute(burst).await;
    assert!(size() > LIMIT, "{}", size());
    reading.rollback().await.unwrap();
    let number = AtomicUsize::new(0);
    let small = async || {
        try_sign_up(&app.anonymous(), number.fetch_add(1, Ordering::Relaxed)).await.expect(303);
        (size() <= LIMIT).then_some(())
    };
    eventually("the log is small again", small).await;
}

async fn service_recovers_from_full_disk() {
    let builder = Engine::Sqlite.prepare().await.set("SVC_RATE_LIMIT", "off");
    let process = Process::start_on_small_disk(builder.variables(), 300 * 1024).await;
    let mut accounts = Vec::new();
    let refused = loop {
        let visitor = builder.anonymous();
        let reply = try_sign_up(&visitor, accounts.len()).await;
        if reply.status != 303 {
            break reply;
        }
        accounts.push(visitor);
        assert!(accounts.len() < 500, "the disk is not full: {}", process.stderr());
    };
    expect_fault(&refused);
    for number in 1000..1005 {
        expect_fault(&try_sign_up(&builder.anonymous(), number).await);
    }
    let log = process.stderr();
    let loud: Vec<&str> = log.lines().filter(|line| line.contains(" ERROR ") || line.contains(" WARN ")).collect();
    assert_eq!(loud.iter().filter(|line| line.contains("does not commit")).count(), 1, "{loud:?}");
    assert_eq!(loud.iter().filter(|line| line.contains("request=")).count(), 0, "{loud:?}");
    let ada = &accounts[0];
    // Writes that need no new space still work: WAL pages that were copied into the file are reused.
    let refreshed = ada.refresh("app").await;
    assert!(
        refreshed.status == 200 || refreshed.clone().expect_error(500, "internal_error").set_cookies().count() == 0
    );
    ada.api_user().await.expect(200);
    process.free_disk();
    ada.refresh("app").await.expect(200);
    builder.anonymous().sign_up("late@example.com").await.expect(303);
    for account in &accounts {
        account.api_user().await.expect(200);
    }
    let users = expect_whole_accounts(builder.database()).await;
    assert_eq!(usize::try_from(users).unwrap(), accounts.len() + 1);
}

async fn server_is_reached_by_ipv6() {
    let any_port = SocketAddr::new(IpAddr::V6(Ipv6Addr::LOCALHOST), 0);
    if TcpListener::bind(any_port).is_err() {
        report("SKIPPED: PostgreSQL by IPv6, which this machine does not have.");
        return;
    }
    let builder = Engine::Postgres.prepare().await;
    let server = builder.database().server_address().to_owned();
    let proxy = Proxy::start_at(any_port, &server).await;
    let url = builder.database().url().replace(&server, &proxy.address().to_string());
    assert!(url.contains("[::1]:"), "{url}");
    let app = builder.set("SVC_DATABASE_URL", &url).start().await;
    app.sign_up("ada@example.com").await.api_user().await.expect(200);
    // The commands take it, too.
    assert!(run_program(&["user", "show", "ada"], app.variables()).await.status.success());
}

async fn password_that_ends_the_url_is_explained() {
    for password in ["p#ss", "p/ss", "p?ss"] {
        let url = format!("postgres://doorward:{password}@127.0.0.1/doorward");
        let builder = Engine::Postgres.prepare().await.set("SVC_DATABASE_URL", &url);
        let output = run_program(&["serve"], builder.variables()).await;
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("# is written as %23, / as %2F, ? as %3F") && !said.contains("ss@"), "{said}");
    }
}
