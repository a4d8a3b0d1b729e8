//! Metrics for Prometheus, on a separate listener (docs/reference/metrics.md).

use super::{Server, probes};
use crate::context::App;
use crate::metrics::{MetricsError, Scrape};
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::settings::DatabaseUrl;
use crate::store::{self, Channel, DeliveryState};
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// Limits the cost of a scrape, whatever the size of the backlog.
const MAX_COUNTED: i64 = 10_000;
/// Without the database, a scrape still has the counters of the process.
const QUERY_TIMEOUT: Duration = Duration::from_secs(2);
/// Due deliveries are counted by these minimum ages.
const DUE_AGES: [(Duration, &str); 4] = [
    (Duration::ZERO, "0"),
    (Duration::from_mins(1), "60"),
    (Duration::from_mins(5), "300"),
    (Duration::from_hours(1), "3600"),
];

#[derive(Clone)]
struct MetricsState {
    app: Arc<App>,
    channels: Vec<Channel>,
}

/// Binds the listener; `channels` are the delivery channels that are enabled.
pub async fn bind(address: SocketAddr, app: &Arc<App>, channels: Vec<Channel>) -> io::Result<Server> {
    let router = Router::new().route("/metrics", get(scrape)).with_state(MetricsState { app: app.clone(), channels });
    Ok(Server::with_router(TcpListener::bind(address).await?, router))
}

async fn scrape(State(state): State<MetricsState>) -> Response {
    match text(&state).await {
        Ok(text) => {
            let headers = [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8"), (CACHE_CONTROL, "no-store")];
            (headers, text).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "the metrics cannot be written");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

async fn text(state: &MetricsState) -> Result<String, MetricsError> {
    let (app, scrape) = (&state.app, Scrape::default());
    let version = [(env!("CARGO_PKG_VERSION"), 1)];
    scrape.gauges("doorward_build_info", "The running version.", "version", &version)?;
    scrape.process()?;
    add_work(&scrape, app)?;
    add_database(&scrape, app)?;
    let help = "Whether /auth/ready answers 200.";
    scrape.gauge("doorward_ready", help, i64::from(probes::readiness(app).await.is_ok()))?;
    let help = "Whether another process has other settings than this one.";
    scrape.gauge("doorward_settings_differ", help, i64::from(!app.reported_differences.lock().is_empty()))?;
    add_session_cache(&scrape, app)?;
    match tokio::time::timeout(QUERY_TIMEOUT, last_backup(app)).await {
        Ok(Ok(at)) => {
            let help = "When a backup was last recorded, in seconds of Unix time; 0 if never.";
            scrape.gauge("doorward_last_backup_time_seconds", help, at.map_or(0, Time::as_seconds))?;
        }
        Ok(Err(error)) => error.log("cannot read when a backup was last made"),
        Err(_) => tracing::debug!("cannot read in time when a backup was last made"),
    }
    for channel in &state.channels {
        match tokio::time::timeout(QUERY_TIMEOUT, count(app, *channel)).await {
            Ok(Ok(counts)) => counts.add(&scrape, *channel)?,
            Ok(Err(error)) => tracing::warn!(error = %error, "cannot count {} in the outbox", channel.plural()),
            Err(_) => tracing::warn!("cannot count {} in the outbox in time", channel.plural()),
        }
    }
    scrape.text(&app.metrics)
}

/// What the requests of this process have cost since its start.
fn add_work(scrape: &Scrape, app: &App) -> Result<(), MetricsError> {
    let help = "Statements run, without lookups of sessions and polls of their changes.";
    scrape.counter("doorward_database_statements_total", help, app.store.statements())?;
    let help = "Passwords verified against a hash, those of unknown accounts included.";
    scrape.counter("doorward_password_verifications_total", help, app.passwords.verifications())?;
    let help = "Entries written to the audit log, by kind.";
    scrape.counters("doorward_audit_entries_total", help, "kind", &app.store.audit_counts())
}

fn add_database(scrape: &Scrape, app: &App) -> Result<(), MetricsError> {
    let connections = app.store.connections();
    scrape.gauge("doorward_database_connections_limit", "Connections that requests may use.", connections.limit)?;
    scrape.gauge("doorward_database_connections_in_use", "Connections in use.", connections.in_use)?;
    scrape.gauge("doorward_database_connections_waiting", "Requests that wait for one.", connections.waiting)?;
    let help = "Connections given up: the server did not answer, or was not the right one.";
    scrape.counter("doorward_database_connections_lost_total", help, connections.lost)?;
    let help = "Whether the database is away.";
    scrape.gauge("doorward_database_away", help, i64::from(connections.is_away))?;
    let help = "For how long the database was away, together.";
    scrape.time("doorward_database_away_seconds_total", help, connections.away)?;
    let help = "Times that the server refused another connection, or none became free in time.";
    scrape.counter("doorward_database_connections_refused_total", help, connections.refused)?;
    if let Some(free) = free_disk(&app.settings.database.url) {
        let help = "Bytes that can still be written to the disk of the SQLite file.";
        scrape.gauge("doorward_database_disk_free_bytes", help, free)?;
    }
    let help = "How far the clock of this machine was last seen to differ from the database's.";
    scrape.age("doorward_clock_difference_seconds", help, app.store.clock_difference())
}

/// `None` for a server, whose disk is its own.
fn free_disk(url: &DatabaseUrl) -> Option<u64> {
    let DatabaseUrl::Sqlite(path) = url else { return None };
    let disk = rustix::fs::statvfs(path).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

fn add_session_cache(scrape: &Scrape, app: &App) -> Result<(), MetricsError> {
    let cache = app.store.session_cache();
    scrape.counter("doorward_session_cache_hits_total", "Sessions served from memory.", cache.hits)?;
    let help = "Sessions for which the database was read.";
    scrape.counter("doorward_session_cache_misses_total", help, cache.misses)?;
    scrape.gauge("doorward_session_cache_sessions", "Sessions in memory.", cache.sessions)?;
    let help = "Time since the process last asked which sessions others have changed; grows while no request comes.";
    scrape.age("doorward_session_cache_age_seconds", help, cache.age)?;
    let help = "Times that asking failed: until it succeeds, every request reads the database.";
    scrape.counter("doorward_session_cache_failed_polls_total", help, cache.failed_polls)
}

/// The deliveries in the database, of all processes.
struct OutboxCounts {
    due: [u64; DUE_AGES.len()],
    oldest: Duration,
    failed: u64,
}

async fn last_backup(app: &App) -> store::Result<Option<Time>> {
    let reader = Principal::process(&[Operation::ReadOverview]);
    app.store.read(&reader, Operation::ReadOverview).await?.instance_backed_up_at().await
}

async fn count(app: &App, channel: Channel) -> store::Result<OutboxCounts> {
    let mut conn = app.store.read(&Principal::process(&[Operation::ReadOverview]), Operation::ReadOverview).await?;
    let mut due = [0; DUE_AGES.len()];
    let (mut oldest, mut failed) = (Duration::ZERO, 0);
    for queue in channel.queues() {
        for ((age, _), count) in DUE_AGES.into_iter().zip(&mut due) {
            *count = MAX_COUNTED.unsigned_abs().min(*count + conn.outbox_count_due(*queue, age, MAX_COUNTED).await?);
        }
        oldest = oldest.max(conn.outbox_oldest(*queue).await?.map(|oldest| oldest.overdue).unwrap_or_default());
        failed += conn.outbox_count(*queue, DeliveryState::Failed, MAX_COUNTED).await?;
    }
    Ok(OutboxCounts { due, oldest, failed: failed.min(MAX_COUNTED.unsigned_abs()) })
}

impl OutboxCounts {
    fn add(&self, scrape: &Scrape, channel: Channel) -> Result<(), MetricsError> {
        let things = channel.counted();
        let channel = channel.as_str();
        let help = "Failed deliveries that are kept; counted up to 10000.";
        scrape.gauge(&format!("doorward_{channel}_{things}_failed"), help, self.failed)?;
        let help = "Deliveries due for at least this number of seconds; counted up to 10000.";
        let due: Vec<(&str, u64)> = DUE_AGES.iter().zip(self.due).map(|((_, age), due)| (*age, due)).collect();
        scrape.gauges(&format!("doorward_{channel}_due"), help, "for_seconds", &due)?;
        let help = "For how long the oldest due delivery has been due; 0 if none is.";
        scrape.age(&format!("doorward_{channel}_oldest_due_seconds"), help, self.oldest)
    }
}
