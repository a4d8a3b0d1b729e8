//! A process whose database becomes another one, by a failover or a restore, trusts nothing that it remembers of the
//! one before.

use crate::harness::{
    Client, Engine, Proxy, TempDir, TestApp, TestDatabase, advance_tokio_clock, eventually, on_one_thread, scaled,
};
use sqlx::{Connection, PgConnection};
use std::time::Duration;
use tokio::task::JoinSet;

once_on_postgres![
    failover_with_loss_leaves_no_ended_session,
    connections_to_two_servers_leave_no_ended_session,
    lagging_standby_is_never_read,
    restore_over_running_database_empties_memory,
    restore_into_new_database_empties_memory,
    truncated_sessions_are_refused,
    memory_ends_with_connection_of_change_feed,
];

/// The staleness bound for changes by other processes.
const MAX_STALENESS: Duration = Duration::from_secs(1);

/// The number of sessions; the larger one by itself shows that none of hundreds is missed.
fn sessions() -> usize {
    scaled(12, 134)
}

/// Two processes, each with its own way to the database, as behind a proxy on each host.
struct Failover {
    old: PgConnection,
    standby: TestDatabase,
    app: TestApp,
    route: Proxy,
    second: TestApp,
    second_route: Proxy,
    users: Vec<Client>,
}

impl Failover {
    /// A standby is promoted that has lost the last transactions. The second process reaches it first, and ends all
    /// sessions there but one, under the transaction ids that were lost; then further ones are used up.
    async fn start() -> Self {
        let database = TestDatabase::on_own_server().await;
        let (url, server) = (database.url().to_owned(), database.server_address().to_owned());
        let (route, second_route) = (Proxy::start(&server).await, Proxy::start(&server).await);
        let by = |route: &Proxy| url.replace(&server, &route.address().to_string());
        let builder = Engine::Postgres.prepare().await.on_database(database).set("SVC_RATE_LIMIT", "off");
        let app = builder.set("SVC_DATABASE_URL", by(&route)).without_background().start().await;
        let second = app.second_process_with(&[("SVC_DATABASE_URL", &by(&second_route))]).await;
        let mut users = Vec::new();
        for number in 0..sessions() {
            users.push(app.sign_up(&format!("user{number}@example.com")).await);
        }
        let standby = app.database().start_standby().await;
        standby.disconnect_from_primary().await;
        // As long as a transaction is open, the oldest one that is open does not tell which server is the later one.
        let mut old = PgConnection::connect(&url).await.unwrap();
        sqlx::raw_sql("BEGIN; SELECT txid_current()").execute(&mut old).await.unwrap();
        use_up_transactions(app.database(), 60).await;
        standby.promote().await;
        let failover = Self { old, standby, app, route, second, second_route, users };
        failover.fill_cache().await;
        failover.second_route.lead_to(failover.standby.server_address());
        failover.second_route.cut_all().await;
        failover.second_route.restore();
        failover.end_sessions().await;
        use_up_transactions(&failover.standby, 120).await;
        failover
    }

    async fn fill_cache(&self) {
        for user in &self.users {
            user.api_user().await.expect(200);
            user.api_user().await.expect(200);
        }
    }

    async fn end_sessions(&self) {
        for user in &self.users[1..] {
            let elsewhere = user.copy().at(&self.second.url());
            let logged_out = async || (elsewhere.log_out().await.status == 204).then_some(());
            eventually("the second process reaches the new server", logged_out).await;
        }
    }

    /// Fails unless the first process refuses every ended session and knows the one that has not ended.
    async fn expect_ended(self) {
        advance_tokio_clock(MAX_STALENESS).await;
        let reached = async || (self.users[0].copy().api_user().await.status == 200).then_some(());
        eventually("the first process reaches the new server", reached).await;
        for user in &self.users[1..] {
            user.copy().api_user().await.expect(401);
            user.get("/auth/account").await.expect(303);
        }
        drop((self.old, self.app, self.second));
    }
}

async fn use_up_transactions(database: &TestDatabase, count: usize) {
    for _ in 0..count {
        database.count("SELECT txid_current()").await;
    }
}

async fn failover_with_loss_leaves_no_ended_session() {
    on_one_thread(async move || {
        let failover = Failover::start().await;
        failover.route.lead_to(failover.standby.server_address());
        failover.route.cut_all().await;
        failover.route.restore();
        failover.expect_ended().await;
    })
    .await;
}

/// The old server still runs, and the connection that reads the change feed still leads there.
async fn connections_to_two_servers_leave_no_ended_session() {
    on_one_thread(async move || {
        let failover = Failover::start().await;
        failover.route.lead_to(failover.standby.server_address());
        let others = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'doorward' \
            AND query NOT LIKE '%txid_current_snapshot%'";
        assert!(failover.app.database().count(others).await > 0);
        // A session that is not in memory is read from the new server, whose start is not that of the feed's.
        let newcomer = failover.second.sign_up("newcomer@example.com").await.at(&failover.app.url());
        advance_tokio_clock(MAX_STALENESS).await;
        newcomer.api_user().await.expect(200);
        failover.expect_ended().await;
    })
    .await;
}

/// The address leads to a standby that has not received what was ended on the primary.
async fn lagging_standby_is_never_read() {
    on_one_thread(async move || {
        let database = TestDatabase::on_own_server().await;
        let server = database.server_address().to_owned();
        let route = Proxy::start(&server).await;
        let direct = database.url().to_owned();
        let builder = Engine::Postgres.prepare().await.on_database(database).set("SVC_RATE_LIMIT", "off");
        let through = direct.replace(&server, &route.address().to_string());
        let app = builder.set("SVC_DATABASE_URL", through).without_background().start().await;
        let second = app.second_process_with(&[("SVC_DATABASE_URL", &direct)]).await;
        let mut users = Vec::new();
        for number in 0..sessions() {
            let user = app.sign_up(&format!("user{number}@example.com")).await;
            user.api_user().await.expect(200);
            user.api_user().await.expect(200);
            users.push(user);
        }
        let standby = app.database().start_standby().await;
        standby.texts("SELECT pg_wal_replay_pause()::text").await;
        route.lead_to(standby.server_address());
        route.cut_all().await;
        route.restore();
        for user in &users {
            user.copy().at(&second.url()).log_out().await.expect(204);
        }
        assert!(standby.count("SELECT count(*) FROM sessions WHERE ended_at IS NULL").await > 0, "it does not lag");
        advance_tokio_clock(MAX_STALENESS).await;
        assert_eq!(statuses(&users).await, vec![500; users.len()]);
        route.lead_to(&server);
        route.cut_all().await;
        route.restore();
        let reached = async || (users[0].copy().api_user().await.status == 401).then_some(());
        eventually("the primary again", reached).await;
        assert_eq!(statuses(&users).await, vec![401; users.len()]);
    })
    .await;
}

/// The answers to all users at the same time, each with the cookies that it had.
async fn statuses(users: &[Client]) -> Vec<u16> {
    let mut requests = JoinSet::new();
    for user in users {
        let user = user.copy();
        requests.spawn(async move { user.api_user().await.status });
    }
    requests.join_all().await
}

/// A service with two users, one of whom signed up after the backup that the test restores.
async fn with_backup() -> (TempDir, TestApp, Client, Client) {
    let folder = TempDir::new("backup");
    let app = Engine::Postgres.prepare().await.set("SVC_RATE_LIMIT", "off").without_background().start().await;
    let ada = app.sign_up("ada@example.com").await;
    app.database().dump(&folder.path().join("backup"));
    let bob = app.sign_up("bob@example.com").await;
    for user in [&ada, &bob] {
        user.api_user().await.expect(200);
        user.api_user().await.expect(200);
    }
    (folder, app, ada, bob)
}

async fn restore_over_running_database_empties_memory() {
    on_one_thread(async move || {
        let (folder, app, ada, bob) = with_backup().await;
        app.database().restore_in_place(&folder.path().join("backup"));
        advance_tokio_clock(MAX_STALENESS).await;
        bob.copy().api_user().await.expect(401);
        ada.api_user().await.expect(200);
    })
    .await;
}

async fn restore_into_new_database_empties_memory() {
    on_one_thread(async move || {
        let (folder, app, ada, bob) = with_backup().await;
        app.database().restore_into_new(&folder.path().join("backup")).await;
        advance_tokio_clock(MAX_STALENESS).await;
        let reached = async || (ada.copy().api_user().await.status == 200).then_some(());
        eventually("the process reaches the restored database", reached).await;
        bob.copy().api_user().await.expect(401);
    })
    .await;
}

/// TRUNCATE runs no row trigger, so nothing notes it.
async fn truncated_sessions_are_refused() {
    on_one_thread(async move || {
        let app = Engine::Postgres.app().await;
        let ada = app.sign_up("ada@example.com").await;
        ada.api_user().await.expect(200);
        ada.api_user().await.expect(200);
        app.database().execute("TRUNCATE sessions CASCADE").await;
        advance_tokio_clock(MAX_STALENESS).await;
        ada.api_user().await.expect(401);
    })
    .await;
}

/// A crash may lose the last commits of the same server; what every crash ends is the connections.
async fn memory_ends_with_connection_of_change_feed() {
    on_one_thread(async move || {
        let app = Engine::Postgres.app().await;
        let ada = app.sign_up("ada@example.com").await;
        ada.api_user().await.expect(200);
        ada.api_user().await.expect(200);
        // The note of this change is lost.
        app.database().execute("ALTER TABLE sessions DISABLE TRIGGER sessions_changed").await;
        app.database().execute("UPDATE sessions SET ended_at = now()").await;
        advance_tokio_clock(MAX_STALENESS).await;
        ada.copy().api_user().await.expect(200);
        let feed = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
            WHERE datname = current_database() AND query LIKE '%txid_current_snapshot%' AND pid <> pg_backend_pid()";
        // The last statement of a connection of the pool may be the same: that of the cleaner.
        assert!(app.database().count(feed).await >= 1);
        advance_tokio_clock(MAX_STALENESS).await;
        ada.api_user().await.expect(401);
    })
    .await;
}
