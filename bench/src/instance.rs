//! One instance of the service: its settings, its seeded users, and its process.

use crate::outcome::Outcome;
use crate::process::{Process, doorward, free_address};
use clap::ValueEnum;
use doorward::boot;
use doorward::clock::Clock;
use doorward::context::App;
use doorward::crypto::password::Params;
use doorward::crypto::secret_keys::SecretKeys;
use doorward::model::ids::UserId;
use doorward::settings::{Environment, ServiceName, Settings};
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// A start that takes longer has failed.
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// Which database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
pub enum Engine {
    /// Embedded.
    #[serde(rename = "sqlite")]
    Sqlite,
    /// A server of its own on the same machine, with fsync on.
    #[serde(rename = "postgresql")]
    #[value(name = "postgresql")]
    Postgres,
}

impl Engine {
    #[cfg(test)]
    pub const ALL: [Self; 2] = [Self::Sqlite, Self::Postgres];

    pub fn name(self) -> &'static str {
        match self {
            Engine::Sqlite => "SQLite",
            Engine::Postgres => "PostgreSQL",
        }
    }
}

pub struct Tokens {
    pub user: UserId,
    /// For `GET /user`.
    pub access: String,
    /// For the first refresh.
    pub refresh: String,
}

/// A database and the settings for it.
pub struct Instance {
    pub engine: Engine,
    pub directory: PathBuf,
    variables: Vec<(&'static str, String)>,
    pub tokens: Vec<Tokens>,
}

impl Instance {
    /// An instance without users. `url` is its PostgreSQL database; without one it uses a SQLite file.
    pub fn new(directory: &Path, url: Option<String>) -> Outcome<Self> {
        std::fs::create_dir_all(directory)?;
        let engine = if url.is_some() { Engine::Postgres } else { Engine::Sqlite };
        let (_, secret_key) = SecretKeys::generate()?;
        let mut variables = vec![
            ("SVC_SECRET_KEY", (*secret_key).clone()),
            ("SVC_DATA_DIR", directory.display().to_string()),
            ("SVC_RATE_LIMIT", "off".to_owned()),
            // The gate signs assertions for what a proxy asks.
            ("SVC_TRUSTED_PROXIES", "127.0.0.1".to_owned()),
            // No token may expire during a measurement.
            ("SVC_ACCESS_TTL", "12h".to_owned()),
            // Every refresh must replace its token rather than return the one of a concurrent refresh.
            ("SVC_REFRESH_ROTATION", "always".to_owned()),
            ("SVC_REFRESH_GRACE", "1ms".to_owned()),
        ];
        variables.extend(url.map(|url| ("SVC_DATABASE_URL", url)));
        Ok(Self { engine, directory: directory.to_owned(), variables, tokens: Vec::new() })
    }

    pub fn url(&self) -> Option<&str> {
        self.variables.iter().find(|(name, _)| *name == "SVC_DATABASE_URL").map(|(_, url)| url.as_str())
    }

    pub fn sqlite_file(&self) -> PathBuf {
        self.directory.join("doorward.db")
    }

    /// The service inside this process, without its listeners.
    pub async fn app(&self) -> Outcome<Arc<App>> {
        let settings = Settings::load(&ServiceName::parse(ServiceName::DEFAULT)?, &self.environment());
        let settings = settings.map_err(|problems| problems.to_string())?.settings;
        Ok(boot::app(settings, Clock::system(), Params::OWASP).await?)
    }

    /// Changes a setting for the next start.
    pub fn set(&mut self, name: &'static str, value: impl Into<String>) {
        self.unset(name);
        self.variables.push((name, value.into()));
    }

    /// Removes a setting for the next start.
    pub fn unset(&mut self, name: &str) {
        self.variables.retain(|(other, _)| *other != name);
    }

    /// The settings, for the library inside this process.
    pub fn environment(&self) -> Environment {
        self.variables.iter().map(|(name, value)| (*name, value.as_str())).collect()
    }

    /// Starts the service and waits until it is ready.
    pub async fn start(&self) -> Outcome<Service> {
        self.start_as(Command::new(doorward()?), free_address()?).await
    }

    pub async fn start_program(&self, program: &Path) -> Outcome<Service> {
        self.start_as(Command::new(std::path::absolute(program)?), free_address()?).await
    }

    async fn start_as(&self, mut command: Command, address: SocketAddr) -> Outcome<Service> {
        let log = OpenOptions::new().create(true).append(true).open(self.log())?;
        command.arg("serve").env_clear().envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.env("SVC_LISTEN", address.to_string()).current_dir(&self.directory);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        let began = Instant::now();
        let mut process = Process::start(&mut command)?;
        while !is_ready(address) {
            if process.has_ended() || began.elapsed() > START_TIMEOUT {
                return Err(format!("the service did not get ready:\n{}", self.read_log(0)?).into());
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        Ok(Service { address, process, start: began.elapsed() })
    }

    /// The service's log after the first `skip` bytes.
    pub fn read_log(&self, skip: usize) -> Outcome<String> {
        let mut file = File::open(self.log())?;
        file.seek(SeekFrom::Start(u64::try_from(skip)?))?;
        let mut log = Vec::new();
        file.read_to_end(&mut log)?;
        Ok(String::from_utf8_lossy(&log).into_owned())
    }

    fn log(&self) -> PathBuf {
        self.directory.join("log")
    }
}

pub struct Service {
    pub address: SocketAddr,
    pub process: Process,
    /// The time from its start until it was ready.
    pub start: Duration,
}

fn is_ready(address: SocketAddr) -> bool {
    let ask = || {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(3)))?;
        stream.write_all(b"GET /auth/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
        let mut answer = [0; 12];
        stream.read_exact(&mut answer)?;
        Ok::<_, std::io::Error>(answer)
    };
    ask().is_ok_and(|answer| answer.ends_with(b"200"))
}
