//! Metrics for Prometheus, on a separate listener (text format 0.0.4).

use super::Server;
use crate::context::{App, GateOutcome};
use crate::delivery::{DeliveryMetrics, Histogram};
use crate::store::{self, Channel};
use axum::Router;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::fmt::Write;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::net::TcpListener;

/// Limits the cost of a scrape, whatever the size of the backlog.
const MAX_COUNTED: i64 = 10_000;
/// Without the database, a scrape still has the counters of the process.
const QUERY_TIMEOUT: Duration = Duration::from_secs(2);
/// Due deliveries are counted by these minimum ages.
const DUE_AGES: [Duration; 4] =
    [Duration::ZERO, Duration::from_mins(1), Duration::from_mins(5), Duration::from_hours(1)];

#[derive(Clone)]
struct MetricsState {
    app: Arc<App>,
    metrics: Vec<(Channel, Arc<DeliveryMetrics>)>,
}

/// Binds the listener; `metrics` are those of the enabled delivery channels.
pub async fn bind(
    address: SocketAddr,
    app: &Arc<App>,
    metrics: Vec<(Channel, Arc<DeliveryMetrics>)>,
) -> io::Result<Server> {
    let router = Router::new().route("/metrics", get(scrape)).with_state(MetricsState { app: app.clone(), metrics });
    Ok(Server::with_router(TcpListener::bind(address).await?, router))
}

async fn scrape(State(state): State<MetricsState>) -> Response {
    let mut out = Exposition::default();
    out.family("doorward_build_info", "gauge", "The running version.");
    out.sample("doorward_build_info", concat!("{version=\"", env!("CARGO_PKG_VERSION"), "\"}"), 1);
    write_work(&mut out, &state.app);
    for (channel, metrics) in &state.metrics {
        write_counters(&mut out, *channel, metrics);
        match tokio::time::timeout(QUERY_TIMEOUT, count_pending(&state.app, *channel)).await {
            Ok(Ok(pending)) => pending.write(&mut out, *channel),
            Ok(Err(error)) => tracing::warn!(error = %error, "cannot count pending {}", channel.plural()),
            Err(_) => tracing::warn!("cannot count pending {} in time", channel.plural()),
        }
    }
    let headers = [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8"), (CACHE_CONTROL, "no-store")];
    (headers, out.text).into_response()
}

/// What the requests of this process have cost since its start.
fn write_work(out: &mut Exposition, app: &App) {
    let help = "Statements run, without lookups of sessions and polls of their changes.";
    out.counter("doorward_database_statements_total", help, app.store.statements());
    let help = "Passwords verified against a hash, those of unknown accounts included.";
    out.counter("doorward_password_verifications_total", help, app.passwords.verifications());
    let help = "Refresh tokens that are newer than the database: it is a restored backup, or two primaries run.";
    let newer = app.newer_refresh_tokens.load(Ordering::Relaxed);
    out.counter("doorward_refresh_tokens_newer_than_database_total", help, newer);
    out.family("doorward_gate_answers_total", "counter", "Answers of the gate, by outcome.");
    for (outcome, label) in GateOutcome::ALL {
        out.sample("doorward_gate_answers_total", &format!("{{outcome=\"{label}\"}}"), app.gate.of(outcome));
    }
    let help = "Refresh tokens at the gate that were replaced before, and so are nobody's.";
    out.counter("doorward_gate_replaced_tokens_total", help, app.gate.replaced_tokens());
    let help = "How far the clock of this machine was last seen to differ from the database's.";
    out.family("doorward_clock_difference_seconds", "gauge", help);
    out.sample("doorward_clock_difference_seconds", "", app.store.clock_difference().as_secs_f64());
}

/// The counters of this process since its start.
fn write_counters(out: &mut Exposition, channel: Channel, metrics: &DeliveryMetrics) {
    let (one, many) = (channel.as_str(), channel.plural());
    let name = &format!("doorward_{one}_attempts_total");
    out.family(name, "counter", &format!("Attempts to deliver {many}, by outcome."));
    for (outcome, count) in metrics.attempts.iter() {
        out.sample(name, &format!("{{outcome=\"{outcome}\"}}"), count);
    }
    let counters = [
        ("polls", "Searches of the outbox for what is due.", &metrics.polls),
        ("delivered", "Deliveries that arrived.", &metrics.delivered),
        ("retried", "Attempts that will be repeated.", &metrics.retried),
        ("failed", "Deliveries that were given up.", &metrics.failed),
        ("lost_leases", "Claims that were lost before their outcome was recorded.", &metrics.lost_leases),
        ("reaped", "Claims that ran out and were taken back.", &metrics.reaped),
        ("cleaned", "Finished deliveries that were removed for their age.", &metrics.cleaned),
    ];
    for (name, help, counter) in counters {
        out.counter(&format!("doorward_{one}_{name}_total"), help, counter.get());
    }
    let name = |what: &str| format!("doorward_{one}_{what}_seconds");
    out.histogram(&name("delivery"), "Duration of an attempt.", &metrics.delivery_time);
    out.histogram(&name("claim"), "Duration of a claim that took something.", &metrics.claim_time);
}

/// The pending deliveries in the database, of all processes.
struct PendingCounts {
    due: [u64; DUE_AGES.len()],
    oldest: Duration,
}

async fn count_pending(app: &App, channel: Channel) -> store::Result<PendingCounts> {
    let mut conn = app.store.read().await?;
    let mut due = [0; DUE_AGES.len()];
    let mut oldest = Duration::ZERO;
    for queue in channel.queues() {
        for (age, count) in DUE_AGES.into_iter().zip(&mut due) {
            *count = MAX_COUNTED.unsigned_abs().min(*count + conn.outbox_count_due(*queue, age, MAX_COUNTED).await?);
        }
        oldest = oldest.max(conn.outbox_oldest(*queue).await?.map(|oldest| oldest.overdue).unwrap_or_default());
    }
    Ok(PendingCounts { due, oldest })
}

impl PendingCounts {
    fn write(&self, out: &mut Exposition, channel: Channel) {
        let name = &format!("doorward_{}_due", channel.as_str());
        out.family(name, "gauge", "Deliveries that have been due for at least so many seconds; counted up to 10000.");
        for (age, count) in DUE_AGES.iter().zip(self.due) {
            out.sample(name, &format!("{{for_seconds=\"{}\"}}", age.as_secs()), count);
        }
        let name = &format!("doorward_{}_oldest_due_seconds", channel.as_str());
        out.family(name, "gauge", "For how long the oldest due delivery has been due; 0 if none is.");
        out.sample(name, "", self.oldest.as_secs_f64());
    }
}

/// The text of a scrape.
#[derive(Default)]
struct Exposition {
    text: String,
}

impl Exposition {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn sample(&mut self, name: &str, labels: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.text, "{name}{labels} {value}");
    }

    fn counter(&mut self, name: &str, help: &str, value: u64) {
        self.family(name, "counter", help);
        self.sample(name, "", value);
    }

    fn histogram(&mut self, name: &str, help: &str, histogram: &Histogram) {
        self.family(name, "histogram", help);
        let buckets: Vec<(Duration, u64)> = histogram.cumulative().collect();
        let (count, sum) = (histogram.count(), histogram.sum());
        for (bound, below) in buckets {
            // A concurrent attempt may be in its bucket already, but not in the count.
            self.sample(&format!("{name}_bucket"), &format!("{{le=\"{}\"}}", bound.as_secs_f64()), below.min(count));
        }
        self.sample(&format!("{name}_bucket"), "{le=\"+Inf\"}", count);
        self.sample(&format!("{name}_sum"), "", sum.as_secs_f64());
        self.sample(&format!("{name}_count"), "", count);
    }
}
