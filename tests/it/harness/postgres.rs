//! The test process's own PostgreSQL cluster: created for the first test that needs it, removed with the process.

use super::guardian::Guardian;
use super::ports::free_port;
use super::runner::{WAIT_TIMEOUT, block_on_new_runtime};
use super::temp::unique_path;
use doorward::clock::Clock;
use doorward::model::event::EventKinds;
use doorward::settings::{DatabaseSettings, DatabaseUrl, SchemaUpdate};
use doorward::store::Store;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// `$1` programs, `$2` the cluster's folder, `$3` port, `$4` the port of its primary if it is a standby. PostgreSQL refuses to run as root.
const SCRIPT: &str = r#"
umask 077
mkdir -p "$2" && cd "$2" || exit 1
if [ "$(id -u)" = 0 ]; then
    chown postgres "$2"
    set -- "$@" setpriv --reuid=postgres --regid=postgres --clear-groups
fi
bin=$1 dir=$2 port=$3 primary=$4
shift 4
if [ -n "$primary" ]; then
    "$@" "$bin/pg_basebackup" -D "$dir/data" -h 127.0.0.1 -p "$primary" -U postgres -c fast -R --no-sync
else
    "$@" "$bin/initdb" -D "$dir/data" -U postgres -A trust -E UTF8 --locale=C --no-sync --no-instructions
fi &&
GUARD_SIGNAL=QUIT guard "$@" "$bin/postgres" -D "$dir/data" -p "$port" -h 127.0.0.1 -k "$dir" \
    -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=300 -c shared_buffers=64MB
while [ -e "$dir/again" ]; do
    rm "$dir/again"
    GUARD_SIGNAL=QUIT guard "$@" "$bin/postgres" -D "$dir/data" -p "$port" -h 127.0.0.1 -k "$dir" -c max_connections=300
done
cd / && rm -rf "$dir"
"#;

#[derive(Debug)]
pub struct Cluster {
    guardian: Guardian,
    folder: PathBuf,
    port: u16,
    databases: AtomicU32,
}

/// The folder of `initdb` and `postgres`: on the path, where links are followed to the other programs, or Debian's folder
/// of the newest version.
pub fn programs() -> Option<PathBuf> {
    let has_both = |folder: &PathBuf| folder.join("initdb").is_file() && folder.join("postgres").is_file();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).find(has_both);
    let on_path = on_path.and_then(|folder| Some(folder.join("postgres").canonicalize().ok()?.parent()?.to_owned()));
    on_path.or_else(|| {
        let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten();
        let folders = versions.map(|version| version.path().join("bin")).filter(has_both);
        folders.max_by_key(|folder| version_of(folder))
    })
}

fn version_of(folder: &Path) -> Option<u32> {
    folder.parent()?.file_name()?.to_str()?.parse().ok()
}

/// The cluster of this process, started on first use.
pub fn cluster() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(|| block_on_new_runtime(Cluster::start))
}

impl Cluster {
    pub async fn start() -> Self {
        let cluster = Self::launch("").await;
        cluster.make_template().await;
        cluster
    }

    pub async fn start_standby(&self) -> Self {
        Self::launch(&self.port.to_string()).await
    }

    /// `primary` is the port of the primary of a standby, or empty.
    async fn launch(primary: &str) -> Self {
        let bin = programs().expect("PostgreSQL's programs");
        let port = free_port();
        let folder = unique_path("postgres");
        let log = folder.with_extension("log");
        let port_text = port.to_string();
        let arguments = [bin.as_os_str(), folder.as_os_str(), OsStr::new(&port_text), OsStr::new(primary)];
        let guardian = Guardian::start(SCRIPT, &arguments, &log);
        let mut cluster = Self { guardian, folder, port, databases: AtomicU32::new(0) };
        cluster.wait_until_ready(&log).await;
        // The log is only needed when the start fails.
        std::fs::remove_file(&log).unwrap();
        cluster
    }

    /// Crashes the server and starts it again on the same data.
    pub async fn restart(&self) {
        std::fs::write(self.folder.join("again"), "").unwrap();
        let pid = std::fs::read_to_string(self.folder.join("data/postmaster.pid")).unwrap();
        let pid = pid.lines().next().expect("a process");
        let kill = Command::new("kill").args(["-s", "QUIT", pid]).status().unwrap();
        assert!(kill.success());
        let deadline = Instant::now() + WAIT_TIMEOUT;
        while self.folder.join("again").exists() || PgConnection::connect(&self.url("postgres")).await.is_err() {
            assert!(Instant::now() < deadline, "PostgreSQL did not start again");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// As [`Cluster::restart`]; the server then only follows others, until `pg_promote()`.
    pub async fn restart_as_standby(&self) {
        std::fs::write(self.folder.join("data/standby.signal"), "").unwrap();
        self.restart().await;
    }

    async fn wait_until_ready(&mut self, log: &Path) {
        let deadline = Instant::now() + WAIT_TIMEOUT;
        while PgConnection::connect(&self.url("postgres")).await.is_err() {
            let failed = Instant::now() > deadline || !self.guardian.is_running();
            assert!(!failed, "PostgreSQL did not start: {}", std::fs::read_to_string(log).unwrap_or_default());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Migrates a template once; each test's database is a copy.
    async fn make_template(&self) {
        self.execute("CREATE DATABASE migrated").await;
        let url = DatabaseUrl::Postgres(self.url("migrated").into());
        let settings = DatabaseSettings {
            url,
            data_dir: PathBuf::new(),
            pool_max: 8,
            schema_update: SchemaUpdate::Any,
            password_file: None,
        };
        Store::open(&settings, Clock::system(), EventKinds::NONE).await.unwrap().close().await;
    }

    /// Creates a migrated database and returns its URL.
    pub async fn migrated_database(&self) -> String {
        // The other strategy writes every page of the copy to the log, which takes twice as long.
        self.new_database("TEMPLATE migrated STRATEGY FILE_COPY").await
    }

    /// Turns a standby into a primary; returns when it takes writes.
    pub async fn promote(&self) {
        self.execute("SELECT pg_promote()").await;
    }

    /// Stops receiving from the primary: what it commits from now on is lost when the standby is promoted.
    pub async fn disconnect_from_primary(&self) {
        self.execute("ALTER SYSTEM SET primary_conninfo = ''").await;
        self.execute("SELECT pg_reload_conf()").await;
    }

    /// Creates a database without tables and returns its URL.
    pub async fn empty_database(&self) -> String {
        self.new_database("").await
    }

    async fn new_database(&self, template: &str) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.execute(&format!("CREATE DATABASE {name} {template}")).await;
        self.url(&name)
    }

    /// Drops a database, disconnects its clients, and creates it again without tables.
    pub async fn recreate_database(&self, url: &str) {
        self.drop_database(url).await;
        self.execute(&format!("CREATE DATABASE {}", url.rsplit('/').next().expect("a database's name"))).await;
    }

    /// The URL of a database of the same name in this cluster.
    pub fn url_of_same_database(&self, url: &str) -> String {
        self.url(url.rsplit('/').next().expect("a database's name"))
    }

    /// Drops a database and disconnects its clients.
    pub async fn drop_database(&self, url: &str) {
        let name = url.rsplit('/').next().expect("a database's name");
        self.execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
    }

    async fn execute(&self, sql: &str) {
        let mut connection = PgConnection::connect(&self.url("postgres")).await.unwrap();
        connection.execute(AssertSqlSafe(sql)).await.unwrap();
        connection.close().await.unwrap();
    }

    fn url(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }
}
