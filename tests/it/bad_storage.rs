//! The database goes away, or has no room: nothing is half-written, and all is well again without a restart.

use crate::harness::{Builder, Client, Engine, Process, Proxy, Reply, TestDatabase, eventually};
use std::time::Duration;

once_on_postgres![
    a_lost_server_is_survived,
    a_server_that_ends_its_connections_is_worth_another_try,
    a_server_lost_in_the_middle_leaves_nothing_half_written,
];
once![a_locked_file_is_survived, a_full_disk_is_survived];

const PASSWORD: &str = "a lighthouse in the fog";

/// Fails unless every account is whole: its user, its organization, its membership, its session.
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

/// Signs somebody new up, with what came of it.
async fn try_sign_up(client: &Client, number: usize) -> Reply {
    client.sign_up(&format!("user{number}@example.com")).await
}

#[track_caller]
fn expect_fault(reply: &Reply) {
    assert!([500, 503].contains(&reply.status), "{}: {}", reply.status, reply.text());
    assert!(reply.status != 503 || reply.header("retry-after").is_some());
    assert!(["svc_access", "svc_refresh"].iter().all(|name| reply.cookie(name).is_none()), "{:?}", reply.headers);
    assert!(!reply.text().contains("sqlx") && !reply.text().contains("sqlite"), "{}", reply.text());
}

/// A service, to be started, whose way to its server leads through a proxy.
pub async fn behind_proxy() -> (Proxy, Builder) {
    let builder = Engine::Postgres.prepare().await;
    let server = builder.database().server_address().to_owned();
    let proxy = Proxy::start(&server).await;
    let url = builder.database().url().replace(&server, &proxy.address().to_string());
    (proxy, builder.set("SVC_DATABASE_URL", url))
}

async fn a_lost_server_is_survived() {
    let (proxy, builder) = behind_proxy().await;
    let app = builder.start().await;
    let ada = app.sign_up("ada@example.com").await;
    let (refresh, visitor) = (ada.token("refresh"), app.anonymous());
    visitor.get("/auth/login").await.expect(200);
    proxy.cut();
    app.anonymous().get("/auth/health").await.expect(200);
    app.anonymous().get("/auth/ready").await.expect(503);
    expect_fault(&ada.api_user().await);
    expect_fault(&ada.refresh("app").await.expect_error(500, "internal_error"));
    expect_fault(&visitor.log_in("ada@example.com", PASSWORD).await);
    expect_fault(&try_sign_up(&visitor, 1).await);
    expect_fault(&ada.log_out().await);
    assert_eq!(ada.token("refresh"), refresh);
    proxy.mend();
    eventually("ready again", async || (app.anonymous().get("/auth/ready").await.status == 200).then_some(())).await;
    ada.api_user().await.expect(200);
    assert!(ada.refresh("app").await.expect(200).cookie("svc_refresh").is_some());
    visitor.log_in("ada@example.com", PASSWORD).await.expect(303);
    assert_eq!(app.database().count("SELECT count(*) FROM users").await, 1);
}

/// As when it is restarted: it says so on every connection before it closes it.
async fn a_server_that_ends_its_connections_is_worth_another_try() {
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

async fn a_server_lost_in_the_middle_leaves_nothing_half_written() {
    let (proxy, builder) = behind_proxy().await;
    let app = builder.start().await;
    let mut visitors = tokio::task::JoinSet::new();
    for number in 0..30 {
        let visitor = app.anonymous();
        visitor.get("/auth/signup").await.expect(200);
        visitors.spawn(async move { try_sign_up(&visitor, number).await.status });
    }
    tokio::time::sleep(Duration::from_millis(40)).await;
    proxy.cut();
    tokio::time::sleep(Duration::from_millis(100)).await;
    proxy.mend();
    let statuses = visitors.join_all().await;
    let answered = statuses.iter().filter(|status| **status == 303).count();
    assert!(statuses.iter().all(|status| [303, 500, 503].contains(status)), "{statuses:?}");
    let users = expect_whole_accounts(app.database()).await;
    // Where the answer to COMMIT was lost, the account is there though the visitor was told of a fault.
    assert!(usize::try_from(users).unwrap() >= answered, "{users} of {answered}");
    // Connections that broke a moment ago are found out one by one.
    let late = app.anonymous();
    eventually("a sign-up", async || (late.sign_up("ada@example.com").await.status == 303).then_some(())).await;
    late.api_user().await.expect(200);
}

async fn a_locked_file_is_survived() {
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

async fn a_full_disk_is_survived() {
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
    expect_fault(&try_sign_up(&builder.anonymous(), 1000).await);
    let ada = &accounts[0];
    // What needs no new room goes on: pages of the log that were copied into the file are written again.
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
