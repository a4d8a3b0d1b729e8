//! A PostgreSQL that fails over: only a server that takes writes is used, and one that falls silent blocks no request.

use crate::harness::{
    Builder, Client, Engine, PASSWORD, Process, Proxy, Receiver, TempDir, TestDatabase, eventually, free_port,
    run_program,
};
use crate::metrics::{scrape, value};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::Instant;

once_on_postgres![
    standby_is_refused_until_it_is_promoted,
    writable_server_is_found_among_several_hosts,
    silent_server_holds_up_neither_requests_nor_webhooks,
    silent_server_does_not_keep_process_from_ending,
    commits_that_wait_for_a_standby_do_not_pile_up,
    outage_has_one_line_at_its_start_and_one_at_its_end,
    outage_is_counted_for_its_alerts,
    one_connection_is_tried_for_all_while_database_is_away,
    server_that_takes_no_more_connections_is_not_away,
    start_names_why_database_cannot_be_used,
    password_file_is_read_at_each_connection,
];

async fn standby_is_refused_until_it_is_promoted() {
    let builder = Engine::Postgres.prepare().await.on_database(TestDatabase::on_own_server().await);
    let variables = builder.with_another_port();
    let app = builder.start().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.api_user().await.expect(200);
    app.database().restart_server_as_standby().await;
    let not_ready = async || (app.anonymous().get("/auth/ready").await.status == 503).then_some(());
    eventually("not ready", not_ready).await;
    // Not read from the standby either: what was ended elsewhere would live on there.
    eventually("no answer from memory", async || (ada.api_user().await.status == 500).then_some(())).await;
    ada.get("/auth/account").await.expect(503);
    ada.refresh("app").await.expect_error(500, "internal_error");
    let refused = run_program(&["serve"], &variables).await;
    let error = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{error}");
    assert!(error.contains("SVC_DATABASE_URL") && error.contains("the server is a standby"), "{error}");
    app.database().count("SELECT pg_promote()::int::bigint").await;
    eventually("ready again", async || (app.anonymous().get("/auth/ready").await.status == 200).then_some(())).await;
    ada.api_user().await.expect(200);
    ada.refresh("app").await.expect(200);
}

/// The URL with two hosts in place of one.
fn with_hosts(url: &str, server: &str, first: &str, second: &str) -> String {
    url.replace(server, &format!("{first},{second}"))
}

async fn writable_server_is_found_among_several_hosts() {
    let standby = Engine::Postgres.prepare().await.on_database(TestDatabase::on_own_server().await);
    standby.database().restart_server_as_standby().await;
    let builder = Engine::Postgres.prepare().await;
    let server = builder.database().server_address().to_owned();
    let (first, second) = (Proxy::start(standby.database().server_address()).await, Proxy::start(&server).await);
    let (one, other) = (first.address().to_string(), second.address().to_string());
    let url = with_hosts(builder.database().url(), &server, &one, &other);
    let app = builder.set("SVC_DATABASE_URL", format!("{url}?target_session_attrs=read-write")).start().await;
    let ada = app.sign_up("ada@example.com").await;
    // The roles change.
    first.lead_to(&server);
    second.lead_to(standby.database().server_address());
    second.cut_all().await;
    second.restore();
    eventually("the other host", async || (ada.refresh("app").await.status == 200).then_some(())).await;
}

/// A service behind a proxy.
struct BusyService {
    builder: Builder,
    proxy: Proxy,
    receiver: Receiver,
    process: Process,
    ada: Client,
}

/// A service whose connections were all in use.
async fn busy_service() -> BusyService {
    let receiver = Receiver::start().await;
    let metrics = format!("127.0.0.1:{}", free_port());
    let builder = Engine::Postgres.prepare().await.webhooks(&receiver).set("SVC_RATE_LIMIT", "off");
    let builder = builder.set("SVC_METRICS_LISTEN", metrics);
    let server = builder.database().server_address().to_owned();
    let proxy = Proxy::start(&server).await;
    let url = builder.database().url().replace(&server, &proxy.address().to_string());
    let builder = builder.set("SVC_DATABASE_URL", url);
    let process = Process::start(builder.variables()).await;
    let ada = builder.anonymous();
    ada.sign_up("ada@example.com").await.expect(303);
    assert_eq!(use_every_connection(&ada).await, [200; 40]);
    BusyService { builder, proxy, receiver, process, ada }
}

/// The statuses of as many requests at once as there are connections, and more.
async fn use_every_connection(client: &Client) -> Vec<u16> {
    let mut requests = JoinSet::new();
    for _ in 0..40 {
        let client = client.clone();
        requests.spawn(async move { client.get("/auth/account/sessions").await.status });
    }
    requests.join_all().await
}

async fn silent_server_holds_up_neither_requests_nor_webhooks() {
    let BusyService { builder, proxy, receiver, process: _process, ada } = busy_service().await;
    let before = receiver.received().len();
    proxy.silence();
    // What is sent now is never answered; then the name leads to a server that answers.
    assert!(use_every_connection(&ada).await.iter().all(|status| *status == 503));
    proxy.restore();
    let all = async || use_every_connection(&ada).await.iter().all(|status| *status == 200).then_some(());
    eventually("every connection is of use again", all).await;
    builder.anonymous().sign_up("bob@example.com").await.expect(303);
    eventually("a webhook", async || (receiver.received().len() > before).then_some(())).await;
}

async fn silent_server_does_not_keep_process_from_ending() {
    let BusyService { builder: _builder, proxy, receiver: _receiver, mut process, ada } = busy_service().await;
    proxy.silence();
    let under_way = tokio::spawn(async move { use_every_connection(&ada).await });
    process.signal("TERM");
    assert_eq!(process.wait().await.code(), Some(0), "{}", process.stderr());
    under_way.abort();
}

async fn commits_that_wait_for_a_standby_do_not_pile_up() {
    let database = TestDatabase::on_own_server().await;
    let builder = Engine::Postgres.prepare().await.on_database(database).set("SVC_RATE_LIMIT", "off");
    let app = builder.start().await;
    // Once it answers, its start waits for no commit any more.
    app.anonymous().get("/auth/ready").await.expect(200);
    app.database().execute("ALTER SYSTEM SET synchronous_standby_names = 'absent'").await;
    app.database().texts("SELECT pg_reload_conf()::text").await;
    let taken = "SELECT count(*) FROM pg_settings WHERE name = 'synchronous_standby_names' AND setting = 'absent'";
    eventually("the setting is taken", async || (app.database().count(taken).await == 1).then_some(())).await;
    for round in 0..2 {
        let mut sign_ups = JoinSet::new();
        for number in 0..30 {
            let visitor = app.anonymous();
            sign_ups.spawn(async move { visitor.sign_up(&format!("user{round}-{number}@example.com")).await.status });
        }
        assert_eq!(sign_ups.join_all().await, [503; 30]);
    }
    let connections = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'doorward'";
    // One whose client is gone before it began to wait ends as soon as the server notices.
    let are_few = async || (app.database().count(connections).await <= 24).then_some(());
    eventually("no more connections than places", are_few).await;
    app.database().execute("ALTER SYSTEM RESET synchronous_standby_names").await;
    app.database().texts("SELECT pg_reload_conf()::text").await;
    let late = app.anonymous();
    eventually("a commit", async || (late.sign_up("late@example.com").await.status == 303).then_some(())).await;
}

async fn outage_has_one_line_at_its_start_and_one_at_its_end() {
    let BusyService { builder: _builder, proxy, receiver: _receiver, process, ada } = busy_service().await;
    let lines = |word: &str| process.stderr().lines().filter(|line| line.contains(word)).count();
    proxy.cut_all().await;
    for _ in 0..20 {
        ada.get("/auth/account").await.expect(503);
    }
    proxy.restore();
    eventually("the database is back", async || (lines("database back after") == 1).then_some(())).await;
    assert_eq!(lines("database away: "), 1, "{}", process.stderr());
    assert_eq!(lines(" ERROR "), 1, "{}", process.stderr());
}

/// For those of `deploy/prometheus/alerts.yml` on the database, readiness, errors, logins and cached sessions.
async fn outage_is_counted_for_its_alerts() {
    let BusyService { builder, proxy, receiver: _receiver, process: _process, ada } = busy_service().await;
    proxy.cut_all().await;
    builder.anonymous().log_in("ada@example.com", PASSWORD).await.expect(503);
    let are_counted = async || {
        // The change feed is polled for requests.
        ada.api_user().await;
        let page = scrape(&builder.variables()["SVC_METRICS_LISTEN"]).await;
        let samples = [
            "doorward_database_away_seconds_total",
            "doorward_http_requests_total{method=\"POST\",route=\"/auth/login\",status=\"5xx\"}",
            "doorward_logins_total{method=\"password\",outcome=\"failed\"}",
            "doorward_session_cache_failed_polls_total",
        ];
        let has_begun = samples.iter().all(|sample| value(&page, sample) > Some(0.0));
        (has_begun && value(&page, "doorward_ready") == Some(0.0)).then_some(())
    };
    eventually("every sample", are_counted).await;
}

async fn one_connection_is_tried_for_all_while_database_is_away() {
    let BusyService { builder: _builder, proxy, receiver: _receiver, process: _process, ada } = busy_service().await;
    proxy.cut_all().await;
    ada.get("/auth/account").await.expect(503);
    let before = proxy.tried();
    for _ in 0..3 {
        assert_eq!(use_every_connection(&ada).await, [503; 40]);
    }
    let tried = proxy.tried() - before;
    // Beside the one: the listeners, and the reader of the change feed.
    assert!(tried < 60, "{tried} connections for 120 questions");
    proxy.restore();
    ada.get("/auth/account").await.expect(200);
    assert_eq!(use_every_connection(&ada).await, [200; 40]);
}

/// Others have used up the server's connections: those that the service has go on.
async fn server_that_takes_no_more_connections_is_not_away() {
    let metrics = format!("127.0.0.1:{}", free_port());
    let builder = Engine::Postgres.prepare().await.set("SVC_RATE_LIMIT", "off").set("SVC_METRICS_LISTEN", &metrics);
    let (database, url) = (builder.database(), builder.database().url().to_owned());
    let name = url.rsplit('/').next().unwrap();
    // No limit counts for the superuser that tests are.
    database.execute(&format!("CREATE ROLE some_{name} LOGIN")).await;
    database.execute("DROP SCHEMA public CASCADE").await;
    database.execute(&format!("CREATE SCHEMA public AUTHORIZATION some_{name}")).await;
    let builder = builder.set("SVC_DATABASE_URL", url.replace("postgres@", &format!("some_{name}@")));
    let process = Process::start(builder.variables()).await;
    let ada = builder.anonymous();
    ada.sign_up("ada@example.com").await.expect(303);
    let database = builder.database();
    database.execute(&format!("ALTER ROLE some_{name} CONNECTION LIMIT 1")).await;
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(7) {
        assert_eq!(use_every_connection(&ada).await, [200; 40], "{}", process.stderr());
    }
    let page = scrape(&metrics).await;
    assert!(value(&page, "doorward_database_connections_refused_total") > Some(0.0), "{page}");
    assert_eq!(value(&page, "doorward_database_away_seconds_total"), Some(0.0), "{}", process.stderr());
    let lines = |word: &str| process.stderr().lines().filter(|line| line.contains(word)).count();
    assert_eq!((lines("no further connection: too many"), lines("database away")), (1, 0), "{}", process.stderr());
    database.execute(&format!("ALTER ROLE some_{name} CONNECTION LIMIT -1")).await;
    let has_more = async || {
        use_every_connection(&ada).await;
        (lines("has connections again") == 1).then_some(())
    };
    eventually("further connections", has_more).await;
}

async fn start_names_why_database_cannot_be_used() {
    let builder = Engine::Postgres.prepare().await;
    let (database, url) = (builder.database(), builder.database().url());
    let name = url.rsplit('/').next().unwrap();
    database.execute("DO $$ BEGIN CREATE ROLE nobody NOLOGIN; EXCEPTION WHEN duplicate_object THEN END $$").await;
    database.execute(&format!("CREATE ROLE full_{name} LOGIN CONNECTION LIMIT 0")).await;
    let refusing = free_port();
    for (url, cause) in [
        (url.replace(database.server_address(), &format!("127.0.0.1:{refusing}")), "refused"),
        (url.replace("postgres@", &format!("full_{name}@")), "too many connections"),
        (url.replace("postgres@", "nobody@"), "is not permitted to log in"),
        (format!("{url}_elsewhere"), "does not exist"),
        (format!("{url}?target_session_attrs=standby"), "target_session_attrs"),
        (format!("{url}?host=a,b"), "several hosts"),
    ] {
        let mut variables = builder.variables().clone();
        variables.insert("SVC_DATABASE_URL".to_owned(), url.clone());
        let refused = run_program(&["serve"], &variables).await;
        let error = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{url}: {error}");
        assert!(error.contains("SVC_DATABASE_URL") && error.contains(cause), "{url}: {error}");
        // What can be told from the settings alone, `config` tells too.
        let is_setting = url.contains('?');
        let checked = run_program(&["config"], &variables).await;
        assert_eq!(checked.status.code(), Some(if is_setting { 2 } else { 0 }), "{url}");
    }
    database.execute(&format!("DROP ROLE full_{name}")).await;
}

async fn password_file_is_read_at_each_connection() {
    let builder = Engine::Postgres.prepare().await;
    let folder = TempDir::new("password");
    let file = folder.path().join("password");
    let builder = builder.set("SVC_DATABASE_PASSWORD_FILE", file.display().to_string());
    let error = String::from_utf8(run_program(&["serve"], builder.variables()).await.stderr).unwrap();
    assert!(error.contains(&file.display().to_string()), "{error}");
    std::fs::write(&file, "s3cret\n").unwrap();
    let app = builder.start().await;
    app.sign_up("ada@example.com").await;
    std::fs::remove_file(&file).unwrap();
    let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
        WHERE application_name = 'doorward' AND datname = current_database()";
    app.database().count(end).await;
    let status = async || app.anonymous().get("/auth/ready").await.status;
    eventually("no password", async || (status().await == 503).then_some(())).await;
    std::fs::write(&file, "s3cret").unwrap();
    eventually("the password is read again", async || (status().await == 200).then_some(())).await;
    let mut both = app.variables().clone();
    both.insert("SVC_DATABASE_URL".to_owned(), app.database().url().replace("postgres@", "postgres:p4ssword@"));
    for (variable, value) in
        [("SVC_DATABASE_URL", both["SVC_DATABASE_URL"].as_str()), ("SVC_DATABASE_URL", "sqlite:x.db")]
    {
        let mut variables = both.clone();
        variables.insert(variable.to_owned(), value.to_owned());
        let refused = run_program(&["config"], &variables).await;
        let error = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{error}");
        assert!(error.contains("SVC_DATABASE_PASSWORD_FILE") && !error.contains("p4ssword"), "{error}");
    }
}
