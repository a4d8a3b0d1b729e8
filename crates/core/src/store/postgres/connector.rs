//! Connecting to a PostgreSQL server that takes writes.

use super::answer::{no_answer, within};
use super::hosts::single_hosts;
use crate::model::this_machine::LOCALHOST;
use crate::settings::DatabaseSettings;
use crate::store::error::{Result, StoreError};
use secrecy::{ExposeSecret, SecretString};
use sqlx::postgres::{PgConnectOptions, PgRow};
use sqlx::{ConnectOptions, PgConnection, Row};
use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::{Instant, timeout};
use zeroize::Zeroizing;

/// The hosts together have this time to answer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(4);

/// Asked of each new connection. Set by a statement, as poolers refuse most parameters of a start.
///
/// - A process that dies without closing its connection must not hold its locks for long.
/// - The server ends a statement before [`super::answer::ANSWER_TIMEOUT`], so that none runs on there after the client
///   has given it up.
const PREPARE: &str = "SET idle_in_transaction_session_timeout = '60s'; SET statement_timeout = '9s'; \
                       SET lock_timeout = '7s'; \
                       SELECT pg_is_in_recovery(), current_setting('transaction_read_only')::boolean, pg_backend_pid()";

pub(in crate::store) const STANDBY: &str = "the server is a standby; only the primary takes writes";
pub(in crate::store) const READ_ONLY: &str = "the server is read-only";
const OLD_CERTIFICATE: &str = "the server's certificate is of X.509 version 1, which is refused: make one of version 3";

pub(super) struct Opened {
    pub(super) connection: PgConnection,
    /// The server's process behind it.
    pub(super) process: i32,
    pub(super) at: Instant,
}

pub(super) struct Connector {
    hosts: Vec<PgConnectOptions>,
    /// The host that took writes last is tried first.
    preferred: AtomicUsize,
    password_file: Option<PathBuf>,
}

impl Connector {
    pub(super) fn new(url: &SecretString, settings: &DatabaseSettings) -> Result<Self> {
        let unreadable =
            |error: &dyn std::fmt::Display| StoreError::Schema(format!("the PostgreSQL URL cannot be read: {error}"));
        let mut hosts = Vec::new();
        for host in single_hosts(url).map_err(|error| unreadable(&error))? {
            let options = PgConnectOptions::from_str(host.expose_secret()).map_err(|error| unreadable(&error))?;
            hosts.push(without_brackets(options).application_name("doorward").extra_float_digits(None));
        }
        Ok(Self { hosts, preferred: AtomicUsize::new(0), password_file: settings.password_file.clone() })
    }

    /// Whether each host is this machine, as the driver has read it: also from `PGHOST` and a query. A name below
    /// `localhost` counts as one elsewhere, as the system may ask a DNS server for it.
    pub(super) fn is_on_this_machine(&self) -> bool {
        self.hosts.iter().all(|options| options.get_socket().is_some() || is_local(options.get_host()))
    }

    /// A connection to the first host that takes writes.
    pub(super) async fn connect(&self) -> Result<Opened> {
        let preferred = self.preferred.load(Ordering::Relaxed);
        let limit = CONNECT_TIMEOUT / u32::try_from(self.hosts.len().max(1)).unwrap_or(u32::MAX);
        let mut errors = Vec::new();
        for step in 0..self.hosts.len() {
            let place = (preferred + step) % self.hosts.len();
            match timeout(limit, self.connect_to(place)).await.unwrap_or_else(|_| Err(no_answer(limit).into())) {
                Ok(connection) => {
                    self.preferred.store(place, Ordering::Relaxed);
                    return Ok(connection);
                }
                Err(error) => errors.push((place, error)),
            }
        }
        // One of the hosts has too many connections for the moment: that is no outage yet, whatever the others are.
        if let Some(place) = errors.iter().position(|(_, error)| error.is_without_connection()) {
            return Err(errors.swap_remove(place).1);
        }
        if errors.len() > 1 {
            let causes = errors.iter().map(|(place, error)| format!("{}: {}", self.name(*place), error.cause()));
            return Err(StoreError::Away(causes.collect::<Vec<_>>().join("; ")));
        }
        Err(errors.pop().map_or_else(|| StoreError::Away("no host".to_owned()), |(_, error)| error))
    }

    fn name(&self, place: usize) -> String {
        let Some(host) = self.hosts.get(place) else { return String::new() };
        let (name, port) = (host.get_host(), host.get_port());
        if name.contains(':') { format!("[{name}]:{port}") } else { format!("{name}:{port}") }
    }

    /// The options of the host that took writes last, with the password as it is now.
    pub(super) async fn options(&self) -> Result<PgConnectOptions> {
        self.options_of(self.preferred.load(Ordering::Relaxed)).await
    }

    async fn options_of(&self, place: usize) -> Result<PgConnectOptions> {
        let options = self.hosts.get(place).cloned().unwrap_or_default();
        let Some(path) = &self.password_file else { return Ok(options) };
        let text = within(CONNECT_TIMEOUT, async { Ok(tokio::fs::read_to_string(path).await?) }).await;
        let text = text.map(Zeroizing::new);
        let text = text.map_err(|error| StoreError::Away(format!("the password file {}: {error}", path.display())))?;
        Ok(options.password(text.trim_end_matches(['\r', '\n'])))
    }

    async fn connect_to(&self, place: usize) -> Result<Opened> {
        let mut connection = self.options_of(place).await?.connect().await.map_err(explained)?;
        let rows = sqlx::raw_sql(PREPARE).fetch_all(&mut connection).await?;
        let row: &PgRow = rows.first().ok_or(sqlx::Error::RowNotFound)?;
        if row.try_get(0)? {
            return Err(StoreError::Away(STANDBY.to_owned()));
        }
        if row.try_get(1)? {
            return Err(StoreError::Away(READ_ONLY.to_owned()));
        }
        Ok(Opened { connection, process: row.try_get(2)?, at: Instant::now() })
    }
}

fn is_local(host: &str) -> bool {
    let is_loopback = || host.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback());
    host.starts_with('/') || host.eq_ignore_ascii_case(LOCALHOST) || is_loopback()
}

/// An IPv6 address stands in brackets in a URL alone; the driver would look for a host of that name.
fn without_brackets(options: PgConnectOptions) -> PgConnectOptions {
    let address = options.get_host().strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).map(str::to_owned);
    match address {
        Some(address) => options.host(&address),
        None => options,
    }
}

/// The error, in plain words where the driver's have none.
fn explained(error: sqlx::Error) -> StoreError {
    // The reason is wrapped in errors of several libraries.
    if format!("{error:?}").contains("UnsupportedCertVersion") {
        return StoreError::Away(OLD_CERTIFICATE.to_owned());
    }
    error.into()
}
