//! The database of one test.

use super::needs::Need;
use super::postgres;
use super::postgres::Cluster;
use super::runner::{block_on_new_runtime, eventually};
use super::temp::TempDir;
use doorward::clock::Clock;
use doorward::model::event::EventKinds;
use doorward::settings::{DatabaseSettings, DatabaseUrl, SchemaUpdate};
use doorward::store::Store;
use sqlx::pool::PoolConnection;
use sqlx::{AssertSqlSafe, PgPool, Sqlite, SqlitePool};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// The database engine a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

impl Engine {
    pub fn need(self) -> Option<Need> {
        (self == Engine::Postgres).then_some(Need::Postgres)
    }
}

/// A test's own database, with a connection pool for inspecting it.
#[derive(Debug)]
pub struct TestDatabase {
    url: String,
    pool: Pool,
    server: Option<Cluster>,
}

#[derive(Debug)]
enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// A lock against changes to a table.
#[derive(Debug)]
pub enum TableLock {
    Sqlite(PoolConnection<Sqlite>),
    Postgres(sqlx::Transaction<'static, sqlx::Postgres>),
}

impl TableLock {
    pub async fn release(self) {
        match self {
            TableLock::Sqlite(connection) => connection.close().await.unwrap(),
            TableLock::Postgres(tx) => tx.rollback().await.unwrap(),
        }
    }
}

impl TestDatabase {
    /// A migrated database; a SQLite file goes into `folder`.
    pub async fn migrated(engine: Engine, folder: &Path) -> Self {
        match engine {
            Engine::Sqlite => {
                let file = folder.join("doorward.db");
                std::fs::write(&file, sqlite_template()).unwrap();
                // As the service makes it, whatever the umask is.
                std::fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
                Self::at(format!("sqlite:{}", file.display())).await
            }
            Engine::Postgres => Self::at(postgres::cluster().migrated_database().await).await,
        }
    }

    /// A database without tables; on SQLite, without a file.
    pub async fn empty(engine: Engine, folder: &Path) -> Self {
        match engine {
            Engine::Sqlite => Self::at(format!("sqlite:{}", folder.join("empty.db").display())).await,
            Engine::Postgres => Self::at(postgres::cluster().empty_database().await).await,
        }
    }

    async fn at(url: String) -> Self {
        let pool = if url.starts_with("sqlite:") {
            Pool::Sqlite(SqlitePool::connect_lazy(&url).unwrap())
        } else {
            Pool::Postgres(PgPool::connect(&url).await.unwrap())
        };
        Self { url, pool, server: None }
    }

    /// A migrated database on the test's own PostgreSQL server.
    pub async fn on_own_server() -> Self {
        let server = Cluster::start().await;
        let mut database = Self::at(server.migrated_database().await).await;
        database.server = Some(server);
        // The test servers do not wait for the disk, which loses commits in a crash.
        let name = database.url.rsplit('/').next().expect("a name").to_owned();
        database.execute(&format!("ALTER DATABASE {name} SET synchronous_commit = on")).await;
        database
    }

    /// The same database on a new standby of the server of [`TestDatabase::on_own_server`], with everything that was
    /// committed so far.
    pub async fn start_standby(&self) -> Self {
        let server = self.server.as_ref().expect("a server of its own").start_standby().await;
        let mut standby = Self::at(server.url_of_same_database(&self.url)).await;
        standby.server = Some(server);
        let end = &self.texts("SELECT pg_current_wal_lsn()::text").await[0];
        let replayed = format!("SELECT (pg_last_wal_replay_lsn() >= '{end}'::pg_lsn)::int::bigint");
        eventually("the standby follows", async || (standby.count(&replayed).await == 1).then_some(())).await;
        standby
    }

    /// Lets a standby receive nothing from now on.
    pub async fn disconnect_from_primary(&self) {
        self.server.as_ref().expect("a server of its own").disconnect_from_primary().await;
        let receivers = "SELECT count(*) FROM pg_stat_wal_receiver";
        eventually("the standby is cut off", async || (self.count(receivers).await == 0).then_some(())).await;
    }

    pub async fn promote(&self) {
        self.server.as_ref().expect("a server of its own").promote().await;
    }

    /// Runs a line of shell that uses PostgreSQL's programs and `SVC_DATABASE_URL`.
    pub fn run_line(&self, line: &str) {
        let programs = postgres::programs().expect("PostgreSQL's programs");
        let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new("sh");
        let output = command.args(["-c", line]).env("PATH", path).env("SVC_DATABASE_URL", &self.url).output().unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
    }

    /// Writes a backup of the database to a file.
    pub fn dump(&self, file: &Path) {
        self.run_client("pg_dump", &["-Fc", "-f"], file);
    }

    /// Restores a backup over the tables of the running database.
    pub fn restore_in_place(&self, file: &Path) {
        self.run_client("pg_restore", &["--clean", "--if-exists", "-d", &self.url], file);
    }

    /// Drops the database and restores a backup into a new one of the same name.
    pub async fn restore_into_new(&self, file: &Path) {
        postgres::cluster().recreate_database(&self.url).await;
        self.run_client("pg_restore", &["-d", &self.url], file);
    }

    fn run_client(&self, program: &str, arguments: &[&str], file: &Path) {
        let mut command = Command::new(postgres::programs().expect("PostgreSQL's programs").join(program));
        command.args(arguments).arg(file);
        if program == "pg_dump" {
            command.arg(&self.url);
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    /// Crashes the server of [`TestDatabase::on_own_server`] and starts it again.
    pub async fn restart_server(&self) {
        self.server.as_ref().expect("a server of its own").restart().await;
    }

    /// As [`TestDatabase::restart_server`]; from then on it is a standby, until `pg_promote()`.
    pub async fn restart_server_as_standby(&self) {
        self.server.as_ref().expect("a server of its own").restart_as_standby().await;
    }

    /// The value for `SVC_DATABASE_URL`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Host and port of the server.
    pub fn server_address(&self) -> &str {
        let rest = self.url.split('@').nth(1).expect("a server's URL");
        rest.split('/').next().expect("host and port")
    }

    /// Blocks writes by every other connection to the SQLite file until the result is dropped or released.
    pub async fn hold_writes(&self) -> PoolConnection<Sqlite> {
        let Pool::Sqlite(pool) = &self.pool else { panic!("only a file has one writer") };
        let mut connection = pool.acquire().await.unwrap();
        sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await.unwrap();
        connection
    }

    /// Blocks changes to the outbox by every other connection until the result is released.
    pub async fn hold_outbox(&self) -> TableLock {
        self.hold_table("outbox").await
    }

    /// Blocks changes to a table, and on SQLite to any table, by every other connection until the result is released.
    pub async fn hold_table(&self, table: &str) -> TableLock {
        match &self.pool {
            Pool::Sqlite(_) => TableLock::Sqlite(self.hold_writes().await),
            Pool::Postgres(pool) => {
                let mut tx = pool.begin().await.unwrap();
                let lock = AssertSqlSafe(format!("LOCK TABLE {table} IN EXCLUSIVE MODE"));
                sqlx::query(lock).execute(&mut *tx).await.unwrap();
                TableLock::Postgres(tx)
            }
        }
    }

    /// Waits until at least `count` statements of the service wait for a lock. PostgreSQL only: SQLite does not report
    /// lock waits.
    pub async fn wait_for_blocked(&self, count: i64) {
        assert!(matches!(self.pool, Pool::Postgres(_)), "SQLite does not show who waits");
        let blocked = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
            AND application_name = 'doorward' AND wait_event_type = 'Lock'";
        eventually("statements wait", async || (self.count(blocked).await >= count).then_some(())).await;
    }

    /// How many transactions of the service are open on PostgreSQL once its statements have ended. None on SQLite, where
    /// a test that got the write lock has seen that nobody else is writing.
    pub async fn open_transactions(&self) -> i64 {
        if matches!(self.pool, Pool::Sqlite(_)) {
            return 0;
        }
        let of_service = |state: &str| {
            format!(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
                 AND application_name = 'doorward' AND state {state}"
            )
        };
        let active = of_service("= 'active'");
        eventually("its statements have ended", async || (self.count(&active).await == 0).then_some(())).await;
        self.count(&of_service("LIKE 'idle in transaction%'")).await
    }

    /// The number that a query returns; `sql` must work on both engines.
    pub async fn count(&self, sql: &str) -> i64 {
        let query = AssertSqlSafe(sql);
        match &self.pool {
            Pool::Sqlite(pool) => sqlx::query_scalar(query).fetch_one(pool).await.unwrap(),
            Pool::Postgres(pool) => sqlx::query_scalar(query).fetch_one(pool).await.unwrap(),
        }
    }

    /// The texts that a query returns, one per row.
    pub async fn texts(&self, sql: &str) -> Vec<String> {
        let query = AssertSqlSafe(sql);
        match &self.pool {
            Pool::Sqlite(pool) => sqlx::query_scalar(query).fetch_all(pool).await.unwrap(),
            Pool::Postgres(pool) => sqlx::query_scalar(query).fetch_all(pool).await.unwrap(),
        }
    }

    /// Runs several statements on one connection.
    pub async fn execute_all(&self, sql: &str) {
        let query = sqlx::raw_sql(AssertSqlSafe(sql));
        match &self.pool {
            Pool::Sqlite(pool) => drop(query.execute(pool).await.unwrap()),
            Pool::Postgres(pool) => drop(query.execute(pool).await.unwrap()),
        }
    }

    pub async fn execute(&self, sql: &str) {
        let query = AssertSqlSafe(sql);
        match &self.pool {
            Pool::Sqlite(pool) => drop(sqlx::query(query).execute(pool).await.unwrap()),
            Pool::Postgres(pool) => drop(sqlx::query(query).execute(pool).await.unwrap()),
        }
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        if matches!(self.pool, Pool::Postgres(_)) && self.server.is_none() {
            // Hundreds of them would fill a small disk.
            block_on_new_runtime(async || postgres::cluster().drop_database(&self.url).await);
        }
    }
}

/// The bytes of a migrated SQLite file, created once per process.
fn sqlite_template() -> &'static [u8] {
    static TEMPLATE: OnceLock<Vec<u8>> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let folder = TempDir::new("sqlite");
        let path = folder.path().join("migrated.db");
        let (url, data_dir) = (DatabaseUrl::Sqlite(path.clone()), folder.path().to_owned());
        let settings =
            DatabaseSettings { url, data_dir, pool_max: 24, schema_update: SchemaUpdate::Any, password_file: None };
        block_on_new_runtime(async || {
            Store::open(&settings, Clock::system(), EventKinds::NONE).await.unwrap().close().await;
        });
        std::fs::read(path).unwrap()
    })
}
