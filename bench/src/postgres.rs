//! A PostgreSQL cluster of the benchmark, with PostgreSQL's default settings: fsync is on.

use crate::outcome::{Outcome, progress};
use crate::process::{Process, free_address};
use sqlx::{Connection, PgConnection};
use std::ffi::OsStr;
use std::net::SocketAddr;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const START_TRIES: u32 = 300;

pub struct Cluster {
    programs: PathBuf,
    user: Option<(u32, u32)>,
    data: PathBuf,
    address: SocketAddr,
    // Dropped after `Drop::drop` has stopped the server cleanly.
    server: Process,
}

impl Cluster {
    /// Creates and starts a cluster; `None` if PostgreSQL is not installed.
    pub async fn start(directory: &Path) -> Outcome<Option<Self>> {
        let Some(programs) = programs() else {
            progress("PostgreSQL is left out: no initdb was found (Debian: apt-get install postgresql)");
            return Ok(None);
        };
        progress("PostgreSQL: a cluster of its own");
        let user = server_user()?;
        std::fs::create_dir_all(directory)?;
        if let Some((uid, gid)) = user {
            chown(directory, Some(uid), Some(gid))?;
        }
        let data = directory.join("data");
        let program = |name: &str| command(programs.join(name), user, directory);
        let made = program("initdb")
            .args(["--auth=trust", "--username=bench", "--encoding=UTF8", "--locale=C", "-D"])
            .arg(&data)
            .output()?;
        if !made.status.success() {
            return Err(format!("initdb failed: {}", String::from_utf8_lossy(&made.stderr)).into());
        }
        let address = free_address()?;
        let server = Process::start(
            program("postgres")
                .arg("-D")
                .arg(&data)
                .args(["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="])
                .args(["-p", &address.port().to_string()]),
        )?;
        let cluster = Self { programs, user, data, address, server };
        cluster.wait().await?;
        Ok(Some(cluster))
    }

    pub fn url(&self, database: &str) -> String {
        format!("postgres://bench@{}/{database}", self.address)
    }

    /// Creates an empty database, replacing any of the same name.
    pub async fn create_database(&self, name: &str) -> Outcome<()> {
        let mut connection = PgConnection::connect(&self.url("postgres")).await?;
        for sql in [format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"), format!("CREATE DATABASE {name}")] {
            // All names are constants of this program.
            sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&mut connection).await?;
        }
        Ok(connection.close().await?)
    }

    /// A program next to the server's, or on the search path.
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = [self.programs.clone()].into_iter().chain(std::env::split_paths(&path));
        folders.map(|folder| folder.join(name)).find(|program| program.is_file())
    }

    pub async fn version(&self) -> Outcome<String> {
        let mut connection = PgConnection::connect(&self.url("postgres")).await?;
        Ok(sqlx::query_scalar("SHOW server_version").fetch_one(&mut connection).await?)
    }

    async fn wait(&self) -> Outcome<()> {
        for _ in 0..START_TRIES {
            if PgConnection::connect(&self.url("postgres")).await.is_ok() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Err("PostgreSQL did not start".into())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let directory = self.data.parent().unwrap_or(&self.data);
        let mut stop = command(self.programs.join("pg_ctl"), self.user, directory);
        // If that fails, the process is killed.
        let _ = stop.args(["stop", "--mode=fast", "-D"]).arg(&self.data).status();
        let _ = self.server.child().try_wait();
    }
}

fn command(program: impl AsRef<OsStr>, user: Option<(u32, u32)>, directory: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(directory).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Some((uid, gid)) = user {
        command.uid(uid).gid(gid);
    }
    command
}

/// The directory of PostgreSQL's server programs: on the search path, or Debian's newest version.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut debian: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|version| Some(version.ok()?.path().join("bin")))
        .collect();
    debian.sort_by_key(|bin| bin.parent().and_then(Path::file_name).and_then(OsStr::to_str)?.parse::<u32>().ok());
    std::env::split_paths(&path)
        .chain(debian.into_iter().rev())
        .find(|directory| directory.join("initdb").is_file() && directory.join("postgres").is_file())
}

/// The user to run PostgreSQL as, if this process is root: it refuses to run as root.
fn server_user() -> Outcome<Option<(u32, u32)>> {
    if std::fs::metadata("/proc/self")?.uid() != 0 {
        return Ok(None);
    }
    let accounts = std::fs::read_to_string("/etc/passwd")?;
    let fields = accounts.lines().map(|line| line.split(':').collect::<Vec<_>>());
    for account in fields {
        if let ["postgres", _, uid, gid, ..] = account[..] {
            return Ok(Some((uid.parse()?, gid.parse()?)));
        }
    }
    Err("PostgreSQL does not run as root, and there is no user postgres".into())
}
