//! Figures for Prometheus, on a listener of their own (text format 0.0.4).

use super::Server;
use crate::context::App;
use crate::delivery::{Figures, Histogram};
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
    figures: Vec<(Channel, Arc<Figures>)>,
}

/// Binds the listener of the figures; `figures` are those of the deliveries that run.
pub async fn bind(address: SocketAddr, app: &Arc<App>, figures: Vec<(Channel, Arc<Figures>)>) -> io::Result<Server> {
    let router = Router::new().route("/metrics", get(show)).with_state(Source { app: app.clone(), figures });
    Ok(Server::of(TcpListener::bind(address).await?, router))
}

async fn show(State(source): State<Source>) -> Response {
    let mut page = Page::default();
    page.family("doorward_build_info", "gauge", "The running version.");
    page.sample("doorward_build_info", concat!("{version=\"", env!("CARGO_PKG_VERSION"), "\"}"), 1);
    for (channel, figures) in &source.figures {
        counted(&mut page, *channel, figures);
        match tokio::time::timeout(PATIENCE, waiting(&source.app, *channel)).await {
            Ok(Ok(waiting)) => waiting.write(&mut page, *channel),
            Ok(Err(error)) => tracing::warn!(error = %error, "waiting {} cannot be counted", channel.plural()),
            Err(_) => tracing::warn!("waiting {} cannot be counted in time", channel.plural()),
        }
    }
    let headers = [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8"), (CACHE_CONTROL, "no-store")];
    (headers, page.text).into_response()
}

/// What this process counted since its start.
fn counted(page: &mut Page, channel: Channel, figures: &Figures) {
    let (one, many) = (channel.as_str(), channel.plural());
    let name = &format!("doorward_{one}_attempts_total");
    page.family(name, "counter", &format!("Attempts to deliver {many}, by outcome."));
    for (outcome, count) in figures.attempts.iter() {
        page.sample(name, &format!("{{outcome=\"{outcome}\"}}"), count);
    }
    let counters = [
        ("delivered", "Deliveries that arrived.", &figures.delivered),
        ("retried", "Attempts that will be repeated.", &figures.retried),
        ("failed", "Deliveries that were given up.", &figures.failed),
        ("lost_leases", "Claims that were lost before their outcome was recorded.", &figures.lost_leases),
        ("reaped", "Claims that ran out and were taken back.", &figures.reaped),
        ("cleaned", "Finished deliveries that were removed for their age.", &figures.cleaned),
    ];
    for (name, help, counter) in counters {
        let name = format!("doorward_{one}_{name}_total");
        page.family(&name, "counter", help);
        page.sample(&name, "", counter.get());
    }
    let name = |what: &str| format!("doorward_{one}_{what}_seconds");
    page.histogram(&name("delivery"), "Duration of an attempt.", &figures.delivery_time);
    page.histogram(&name("claim"), "Duration of a claim that took something.", &figures.claim_time);
}

/// What waits in the database, for all processes together.
struct Waiting {
    due: [u64; AGES.len()],
    oldest: Duration,
}

async fn waiting(app: &App, channel: Channel) -> store::Result<Waiting> {
    let mut conn = app.store.read().await?;
    let mut due = [0; AGES.len()];
    for (age, count) in AGES.into_iter().zip(&mut due) {
        *count = conn.outbox_count_due(channel, age, MOST_COUNTED).await?;
    }
    let oldest = conn.outbox_oldest(channel).await?.map(|oldest| oldest.overdue);
    Ok(Waiting { due, oldest: oldest.unwrap_or_default() })
}

impl Waiting {
    fn write(&self, page: &mut Page, channel: Channel) {
        let name = &format!("doorward_{}_due", channel.as_str());
        page.family(name, "gauge", "Deliveries that have been due for at least so many seconds; counted up to 10000.");
        for (age, count) in AGES.iter().zip(self.due) {
            page.sample(name, &format!("{{for_seconds=\"{}\"}}", age.as_secs()), count);
        }
        let name = &format!("doorward_{}_oldest_due_seconds", channel.as_str());
        page.family(name, "gauge", "For how long the oldest due delivery has been due; 0 if none is.");
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
