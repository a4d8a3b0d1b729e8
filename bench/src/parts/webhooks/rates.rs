//! Delivered events per second, against the lower of two limits.

use super::settings::send_to;
use super::{outbox, raw};
use crate::Args;
use crate::aims;
use crate::check::{Aim, Check};
use crate::instance::{Engine, Instance};
use crate::outcome::{Outcome, progress};
use crate::process::cpu_seconds;
use crate::rig::Rig;
use crate::sink::Sink;
use crate::stats::median;
use crate::table::Table;
use serde::Serialize;
use std::time::Duration;
use tokio::time::sleep;

const WORKERS: [u32; 3] = [2, 8, 32];
const DELAYS: [Duration; 2] = [Duration::ZERO, Duration::from_millis(50)];
/// By then the service has adapted to the speed of its receiver.
const WARM_UP_EVENTS: usize = 64;
const WARM_UP: Duration = Duration::from_millis(200);
const SECOND: Duration = Duration::from_secs(1);
/// A slow receiver responds to few events, in bursts: these are counted for longer.
const SLOW_SECONDS: u32 = 2;
/// More than is delivered in one measurement.
const MAX_BACKLOG: u64 = 60_000;
const BACKLOG_SECONDS: u64 = 8;
/// Events over which the bare statements are timed.
const STATEMENT_EVENTS: usize = 4096;

/// One row for every engine, delay and number of workers.
#[derive(Serialize)]
pub struct Rates {
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    engine: Engine,
    delay_ms: u64,
    workers: u32,
    events_per_second: f64,
    cpu_us_per_event: f64,
    raw_client_per_second: f64,
    statements_per_second: f64,
    /// Ratio to the lower of the two; median of the rounds.
    of_limit: f64,
}

struct Round {
    events: f64,
    cpu_us: f64,
    raw: f64,
    statements: f64,
}

pub async fn measure(rig: &Rig, args: &Args) -> Outcome<Rates> {
    let mut rows = Vec::new();
    for mut instance in rig.empty_instances("rates").await? {
        for delay in DELAYS {
            let sink = Sink::start(delay)?;
            send_to(&mut instance, sink.url());
            for workers in WORKERS {
                instance.set("SVC_WEBHOOK_WORKER_COUNT", workers.to_string());
                rows.push(row(&instance, &sink, delay, workers, args.rounds()).await?);
            }
        }
    }
    Ok(Rates { rows })
}

async fn row(instance: &Instance, sink: &Sink, delay: Duration, workers: u32, rounds: usize) -> Outcome<Row> {
    let mut done = Vec::new();
    for _ in 0..rounds {
        done.push(round(instance, sink, delay, workers).await?);
    }
    let middle = |of: fn(&Round) -> f64| median(done.iter().map(of));
    let row = Row {
        engine: instance.engine,
        delay_ms: u64::try_from(delay.as_millis())?,
        workers,
        events_per_second: middle(|round| round.events),
        cpu_us_per_event: middle(|round| round.cpu_us),
        raw_client_per_second: middle(|round| round.raw),
        statements_per_second: middle(|round| round.statements),
        of_limit: middle(|round| round.events / round.raw.min(round.statements)),
    };
    progress(&format!("webhooks: {}", row.cells().join(" | ")));
    Ok(row)
}

/// The service, the raw client and the bare statements, one after the other.
async fn round(instance: &Instance, sink: &Sink, delay: Duration, workers: u32) -> Outcome<Round> {
    let duration = if delay.is_zero() { SECOND } else { SECOND * SLOW_SECONDS };
    let store = outbox::open(instance).await?;
    outbox::fill(&store, backlog(delay, workers)).await?;
    store.close().await;
    let (events, cpu_us) = serve(instance, sink, duration).await?;
    let raw = raw::per_second(sink, &sink.first().await?, usize::try_from(workers)?, duration).await?;
    let store = outbox::open(instance).await?;
    if outbox::pending(&store).await? == 0 {
        return Err("the backlog was delivered before the measurement ended".into());
    }
    let statements = Box::pin(outbox::statements_per_second(&store, STATEMENT_EVENTS)).await?;
    store.close().await;
    Ok(Round { events, cpu_us, raw, statements })
}

/// Events per second, and the processor time of the service per event.
async fn serve(instance: &Instance, sink: &Sink, duration: Duration) -> Outcome<(f64, f64)> {
    let before = sink.count().await?.events;
    let service = instance.start().await?;
    sink.wait_for(before + WARM_UP_EVENTS, Duration::from_secs(30)).await?;
    sleep(WARM_UP).await;
    let cpu_before = cpu_seconds(service.process.id())?;
    let events = sink.per_second(duration).await?;
    let cpu = cpu_seconds(service.process.id())? - cpu_before;
    Ok((events, cpu * 1e6 / (events * duration.as_secs_f64())))
}

fn backlog(delay: Duration, workers: u32) -> u64 {
    let delay_us = u64::try_from(delay.as_micros()).unwrap_or(u64::MAX);
    let max_events = (BACKLOG_SECONDS * 1_000_000 * u64::from(workers)).checked_div(delay_us);
    max_events.map_or(MAX_BACKLOG, |max_events| max_events.min(MAX_BACKLOG))
}

impl Row {
    fn aim(&self) -> &'static Aim {
        if self.delay_ms == 0 { &aims::WEBHOOKS } else { &aims::SLOW_WEBHOOKS }
    }

    fn cells(&self) -> Vec<String> {
        vec![
            format!("{}, {} ms, {} workers", self.engine.name(), self.delay_ms, self.workers),
            format!("{:.0}", self.events_per_second),
            format!("{:.0}", self.cpu_us_per_event),
            format!("{:.0}", self.raw_client_per_second),
            format!("{:.0}", self.statements_per_second),
            format!("{:.2}", self.of_limit),
            self.aim().cell(),
        ]
    }
}

impl Rates {
    pub fn checks(&self) -> impl Iterator<Item = Check> {
        self.rows.iter().map(|row| row.aim().check_one(row.engine, format!("{} workers", row.workers), row.of_limit))
    }

    pub fn table(&self) -> Table {
        Table {
            title: "Webhooks delivered from a deep backlog, by delay of the receiver and number of workers".to_owned(),
            columns: vec![
                "doorward",
                "events/s",
                "CPU µs/event",
                "raw client/s",
                "bare statements/s",
                "of the lower limit",
                "aim",
            ],
            rows: self.rows.iter().map(Row::cells).collect(),
        }
    }

    #[cfg(test)]
    pub fn sample() -> Self {
        let row = |engine, delay_ms| Row {
            engine,
            delay_ms,
            workers: 2,
            events_per_second: 1.0,
            cpu_us_per_event: 1.0,
            raw_client_per_second: 1.0,
            statements_per_second: 1.0,
            of_limit: 1.0,
        };
        Self { rows: Engine::ALL.iter().flat_map(|engine| [0, 50].map(|delay_ms| row(*engine, delay_ms))).collect() }
    }
}
