//! Figures for Prometheus, on a listener of their own (text format 0.0.4).

use super::Server;
use crate::app::App;
use crate::outbox::{Figures, Histogram};
use crate::store;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::{Router, routing::get};
use std::fmt::Write;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// Counting what is due ends here, so that a scrape costs little however much waits.
const MOST_COUNTED: i64 = 10_000;
/// A scrape waits no longer for the database; without it, what the process counted is still told.
const PATIENCE: Duration = Duration::from_secs(2);
/// The ages by which what is due is counted.
const AGES: [Duration; 4] = [Duration::ZERO, Duration::from_mins(1), Duration::from_mins(5), Duration::from_hours(1)];

#[derive(Clone)]
struct Source {
    app: Arc<App>,
    figures: Option<Arc<Figures>>,
}

/// Binds the listener of the figures; `figures` are those of the running delivery of webhooks, if there is one.
pub async fn bind(address: SocketAddr, app: &Arc<App>, figures: Option<Arc<Figures>>) -> io::Result<Server> {
    let router = Router::new().route("/metrics", get(show)).with_state(Source { app: app.clone(), figures });
    Ok(Server::of(TcpListener::bind(address).await?, router))
}

async fn show(State(source): State<Source>) -> Response {
    let mut page = Page::default();
    page.family("doorward_build_info", "gauge", "The running version.");
    page.sample("doorward_build_info", concat!("{version=\"", env!("CARGO_PKG_VERSION"), "\"}"), 1);
    if let Some(figures) = &source.figures {
        counted(&mut page, figures);
        match tokio::time::timeout(PATIENCE, waiting(&source.app)).await {
            Ok(Ok(waiting)) => waiting.write(&mut page),
            Ok(Err(error)) => tracing::warn!(error = %error, "waiting webhooks cannot be counted"),
            Err(_) => tracing::warn!("waiting webhooks cannot be counted in time"),
        }
    }
    let headers = [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8"), (CACHE_CONTROL, "no-store")];
    (headers, page.text).into_response()
}

/// What this process counted since its start.
fn counted(page: &mut Page, figures: &Figures) {
    let name = "doorward_webhook_attempts_total";
    page.family(name, "counter", "Attempts to deliver an event, by outcome.");
    for (outcome, count) in figures.attempts.iter() {
        page.sample(name, &format!("{{outcome=\"{outcome}\"}}"), count);
    }
    let counters = [
        ("delivered", "Events that arrived.", &figures.delivered),
        ("retried", "Attempts that will be repeated.", &figures.retried),
        ("failed", "Events that were given up.", &figures.failed),
        ("lost_leases", "Claims that were lost before their outcome was recorded.", &figures.lost_leases),
        ("reaped", "Claims that ran out and were taken back.", &figures.reaped),
        ("cleaned", "Finished events that were removed for their age.", &figures.cleaned),
    ];
    for (name, help, counter) in counters {
        let name = format!("doorward_webhook_{name}_total");
        page.family(&name, "counter", help);
        page.sample(&name, "", counter.get());
    }
    page.histogram("doorward_webhook_delivery_seconds", "Duration of an attempt.", &figures.delivery_time);
    page.histogram("doorward_webhook_claim_seconds", "Duration of a claim that took something.", &figures.claim_time);
}

/// What waits in the database, for all processes together.
struct Waiting {
    due: [u64; AGES.len()],
    oldest: Duration,
}

async fn waiting(app: &App) -> store::Result<Waiting> {
    let mut conn = app.store.read().await?;
    let mut due = [0; AGES.len()];
    for (age, count) in AGES.into_iter().zip(&mut due) {
        *count = conn.outbox_count_due(age, MOST_COUNTED).await?;
    }
    let oldest = conn.outbox_oldest().await?.map(|oldest| oldest.overdue);
    Ok(Waiting { due, oldest: oldest.unwrap_or_default() })
}

impl Waiting {
    fn write(&self, page: &mut Page) {
        let name = "doorward_webhook_due";
        page.family(name, "gauge", "Events that have been due for at least so many seconds; counted up to 10000.");
        for (age, count) in AGES.iter().zip(self.due) {
            page.sample(name, &format!("{{for_seconds=\"{}\"}}", age.as_secs()), count);
        }
        let name = "doorward_webhook_oldest_due_seconds";
        page.family(name, "gauge", "For how long the oldest due event has been due; 0 if none is.");
        page.sample(name, "", self.oldest.as_secs_f64());
    }
}

/// The text of a scrape.
#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn sample(&mut self, name: &str, labels: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.text, "{name}{labels} {value}");
    }

    fn histogram(&mut self, name: &str, help: &str, histogram: &Histogram) {
        self.family(name, "histogram", help);
        let classes: Vec<(Duration, u64)> = histogram.cumulative().collect();
        let (count, sum) = (histogram.count(), histogram.sum());
        for (bound, below) in classes {
            // Counted in its class, an attempt may not be counted in the whole yet.
            self.sample(&format!("{name}_bucket"), &format!("{{le=\"{}\"}}", bound.as_secs_f64()), below.min(count));
        }
        self.sample(&format!("{name}_bucket"), "{le=\"+Inf\"}", count);
        self.sample(&format!("{name}_sum"), "", sum.as_secs_f64());
        self.sample(&format!("{name}_count"), "", count);
    }
}
