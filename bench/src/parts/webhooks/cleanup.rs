//! The cost of a claim while finished rows are removed.

use super::outbox;
use super::settings::send_to;
use super::stock::Stock;
use crate::Args;
use crate::instance::Instance;
use crate::outcome::{Outcome, progress};
use crate::rig::Rig;
use crate::sink::Sink;
use crate::stats::{count, millis, percentile};
use crate::table::Table;
use serde::Serialize;
use std::time::Duration;
use tokio::time::{Instant, sleep};

const AIM: f64 = 3.0;
const FINISHED: usize = 1_000_000;
/// Finished rows with `--quick`.
const QUICK_FINISHED: usize = 100_000;
/// Limits eight workers to 1,600 events per second: high, but below the machine's capacity.
const RECEIVER_DELAY: Duration = Duration::from_millis(5);
const WORKERS: &str = "8";
/// Enough for three minutes at that rate.
const PENDING: u64 = 300_000;
/// How long claims are measured without a cleanup.
const BASELINE_TIME: Duration = Duration::from_secs(20);
const CLEANUP_TIMEOUT: Duration = Duration::from_mins(3);

/// Each engine's figures.
#[derive(Serialize)]
pub struct CleanUp {
    engines: Vec<EngineStats>,
    aim: f64,
}

#[derive(Serialize)]
struct EngineStats {
    engine: &'static str,
    removed: usize,
    removed_per_second: f64,
    claims: usize,
    claim_p50_ms_before: f64,
    claim_p99_ms_before: f64,
    claim_p50_ms: f64,
    claim_p99_ms: f64,
    /// Ratio of the p99 during the cleanup to that before.
    of_before: f64,
}

/// Measures every engine: delivers a backlog without and with a cleanup.
pub async fn measure(rig: &Rig, args: &Args) -> Outcome<CleanUp> {
    let finished = if args.quick { QUICK_FINISHED } else { FINISHED };
    let sink = Sink::start(RECEIVER_DELAY)?;
    let mut engines = Vec::new();
    for mut instance in rig.empty_instances("cleanup").await? {
        send_to(&mut instance, sink.url());
        instance.set("SVC_WEBHOOK_WORKER_COUNT", WORKERS);
        instance.set("SVC_LOG", "warn,doorward::delivery=debug");
        outbox::open(&instance).await?.close().await;
        Stock { finished: u64::try_from(finished)?, pending: PENDING }.put_into(&instance).await?;
        let figures = measure_engine(&mut instance, finished).await?;
        progress(&format!("webhooks: {}", figures.cells().join(" | ")));
        engines.push(figures);
    }
    Ok(CleanUp { engines, aim: AIM })
}

async fn measure_engine(instance: &mut Instance, finished: usize) -> Outcome<EngineStats> {
    instance.set("SVC_WEBHOOK_DELIVERED_RETENTION", "720h");
    let before = watch(instance, |log| log.took > BASELINE_TIME).await?;
    // Events delivered meanwhile are retained.
    instance.set("SVC_WEBHOOK_DELIVERED_RETENTION", "24h");
    let during = watch(instance, |log| log.removed >= finished || log.took > CLEANUP_TIMEOUT).await?;
    if during.removed < finished {
        return Err(format!("only {} finished events were removed", during.removed).into());
    }
    let of = |log: &Log, percent| millis(percentile(&log.claims, percent));
    Ok(EngineStats {
        engine: instance.engine.name(),
        removed: finished,
        removed_per_second: count(finished) / during.took.as_secs_f64(),
        claims: during.claims.len(),
        claim_p50_ms_before: of(&before, 50),
        claim_p99_ms_before: of(&before, 99),
        claim_p50_ms: of(&during, 50),
        claim_p99_ms: of(&during, 99),
        of_before: of(&during, 99) / of(&before, 99),
    })
}

/// The measurements of one run, from the service's log.
struct Log {
    took: Duration,
    /// The duration of each claim with its commit; sorted at the end.
    claims: Vec<Duration>,
    removed: usize,
}

/// Runs the service until `is_enough` accepts its log.
async fn watch(instance: &Instance, is_enough: impl Fn(&Log) -> bool) -> Outcome<Log> {
    let skip = instance.read_log(0).map_or(0, |log| log.len());
    let service = instance.start().await?;
    let began = Instant::now();
    loop {
        sleep(Duration::from_millis(500)).await;
        let took = began.elapsed();
        let mut log = Log::parse(&instance.read_log(skip)?, took);
        if is_enough(&log) {
            drop(service);
            log.claims.sort_unstable();
            return Ok(log);
        }
    }
}

impl Log {
    fn parse(text: &str, took: Duration) -> Self {
        let mut log = Log { took, claims: Vec::new(), removed: 0 };
        for line in text.lines() {
            let field = |name: &str| line.split(name).nth(1)?.split_whitespace().next()?.parse().ok();
            if line.contains("webhooks claimed") {
                log.claims.extend(field("micros=").map(Duration::from_micros));
            } else if line.contains("finished webhooks removed") {
                log.removed += field("deliveries=").and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
            }
        }
        log
    }
}

impl EngineStats {
    fn cells(&self) -> Vec<String> {
        let millis = [self.claim_p50_ms_before, self.claim_p99_ms_before, self.claim_p50_ms, self.claim_p99_ms];
        let mut cells = vec![
            format!("doorward, {}", self.engine),
            self.removed.to_string(),
            format!("{:.0}", self.removed_per_second),
            self.claims.to_string(),
        ];
        cells.extend(millis.map(|ms| format!("{ms:.2}")));
        cells.push(format!("{:.2}", self.of_before));
        cells
    }
}

impl CleanUp {
    /// The table.
    pub fn table(&self) -> Table {
        Table {
            title: format!(
                "A claim during the clean-up, with its commit; {WORKERS} workers, a receiver that takes {} ms \
                 (aim: p99 at most {AIM:.0} times)",
                RECEIVER_DELAY.as_millis()
            ),
            columns: vec![
                "server",
                "removed",
                "removed/s",
                "claims",
                "p50 ms before",
                "p99 ms before",
                "p50 ms during",
                "p99 ms during",
                "p99 during/before",
            ],
            rows: self.engines.iter().map(EngineStats::cells).collect(),
        }
    }
}
