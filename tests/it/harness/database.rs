//! The database of one story.

use super::needs::Need;
use super::postgres;
use super::postgres::Cluster;
use super::story::{apart, eventually};
use super::temp::TempDir;
use doorward::clock::Clock;
use doorward::model::event::EventKinds;
use doorward::settings::{Database, DatabaseUrl};
use doorward::store::Store;
use sqlx::pool::PoolConnection;
use sqlx::{AssertSqlSafe, PgPool, Sqlite, SqlitePool};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

/// Which database a story is told on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The embedded one.
    Sqlite,
    /// The server.
    Postgres,
}

impl Engine {
    /// What the machine must have for it.
    pub fn need(self) -> Option<Need> {
        (self == Engine::Postgres).then_some(Need::Postgres)
    }
}

/// A migrated database of the story's own, and a connection of the story's own for looking into it.
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

/// Keeps the outbox from being changed.
#[derive(Debug)]
pub enum OutboxLock {
    Sqlite(PoolConnection<Sqlite>),
    Postgres(sqlx::Transaction<'static, sqlx::Postgres>),
}

impl OutboxLock {
    /// Lets the others go on.
    pub async fn release(self) {
        match self {
            OutboxLock::Sqlite(connection) => connection.close().await.unwrap(),
            OutboxLock::Postgres(tx) => tx.rollback().await.unwrap(),
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
                Self::at(format!("sqlite:{}", file.display())).await
            }
            Engine::Postgres => Self::at(postgres::cluster().migrated_database().await).await,
        }
    }

    /// A database without any table; on SQLite without even a file.
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

    /// A migrated database on a PostgreSQL server of the story's own.
    pub async fn on_own_server() -> Self {
        let server = Cluster::start().await;
        let mut database = Self::at(server.migrated_database().await).await;
        database.server = Some(server);
        // The tests' servers do not wait for the disk, which is only safe while they are not ended.
        let name = database.url.rsplit('/').next().expect("a name").to_owned();
        database.execute(&format!("ALTER DATABASE {name} SET synchronous_commit = on")).await;
        database
    }

    /// Ends the server of [`TestDatabase::on_own_server`] without mercy and starts it again.
    pub async fn restart_server(&self) {
        self.server.as_ref().expect("a server of its own").restart().await;
    }

    /// As `SVC_DATABASE_URL` wants it.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Host and port of the server.
    pub fn server_address(&self) -> &str {
        let rest = self.url.split('@').nth(1).expect("a server's URL");
        rest.split('/').next().expect("host and port")
    }

    /// Keeps every other connection to a SQLite file from writing, until the result is dropped or released.
    pub async fn hold_writes(&self) -> PoolConnection<Sqlite> {
        let Pool::Sqlite(pool) = &self.pool else { panic!("only a file has one writer") };
        let mut connection = pool.acquire().await.unwrap();
        sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await.unwrap();
        connection
    }

    /// Keeps every other connection from changing the outbox, until the result is released.
    pub async fn hold_outbox(&self) -> OutboxLock {
        match &self.pool {
            Pool::Sqlite(_) => OutboxLock::Sqlite(self.hold_writes().await),
            Pool::Postgres(pool) => {
                let mut tx = pool.begin().await.unwrap();
                sqlx::query("LOCK TABLE outbox IN EXCLUSIVE MODE").execute(&mut *tx).await.unwrap();
                OutboxLock::Postgres(tx)
            }
        }
    }

    /// Waits until so many statements of the service wait for [`TestDatabase::hold_outbox`]. A file does not tell who
    /// waits for it; there this is a short pause.
    pub async fn wait_for_blocked(&self, count: i64) {
        if matches!(self.pool, Pool::Sqlite(_)) {
            return tokio::time::sleep(Duration::from_millis(300)).await;
        }
        let blocked = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
            AND application_name = 'doorward' AND wait_event_type = 'Lock'";
        eventually("statements wait", async || (self.count(blocked).await >= count).then_some(())).await;
    }

    /// The one number that a query gives; `sql` must be the same on both engines.
    pub async fn count(&self, sql: &str) -> i64 {
        let query = AssertSqlSafe(sql);
        match &self.pool {
            Pool::Sqlite(pool) => sqlx::query_scalar(query).fetch_one(pool).await.unwrap(),
            Pool::Postgres(pool) => sqlx::query_scalar(query).fetch_one(pool).await.unwrap(),
        }
    }

    /// The texts that a query gives, one a row.
    pub async fn texts(&self, sql: &str) -> Vec<String> {
        let query = AssertSqlSafe(sql);
        match &self.pool {
            Pool::Sqlite(pool) => sqlx::query_scalar(query).fetch_all(pool).await.unwrap(),
            Pool::Postgres(pool) => sqlx::query_scalar(query).fetch_all(pool).await.unwrap(),
        }
    }

    /// Runs a statement.
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
            // Some hundred of them would fill a small disk.
            apart(async || postgres::cluster().drop_database(&self.url).await);
        }
    }
}

/// The bytes of a migrated SQLite file, made once in the process.
fn sqlite_template() -> &'static [u8] {
    static TEMPLATE: OnceLock<Vec<u8>> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let folder = TempDir::new("sqlite");
        let path = folder.path().join("migrated.db");
        let settings = Database { url: DatabaseUrl::Sqlite(path.clone()), data_dir: folder.path().to_owned() };
        apart(async || Store::open(&settings, Clock::system(), EventKinds::NONE).await.unwrap().close().await);
        std::fs::read(path).unwrap()
    })
}
