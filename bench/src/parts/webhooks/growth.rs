//! The cost of a claim as the outbox grows.

use super::outbox;
use super::stock::Stock;
use crate::Args;
use crate::outcome::{Outcome, progress};
use crate::rig::Rig;
use crate::stats::{median, millis, percentile};
use crate::table::Table;
use doorward::model::principal::{Operation, Principal};
use doorward::store::{OUTBOX_BATCH, Queue, Store};
use serde::Serialize;
use std::time::Duration;
use tokio::time::Instant;

const AIM: f64 = 1.5;
const FEW: u64 = 10;
const SOME: u64 = 10_000;
const MANY: u64 = 1_000_000;
/// The large number with `--quick`.
const QUICK: u64 = 50_000;
/// Not counted: caches fill, and the statement is planned.
const WARM_UP: usize = 20;
const CLAIMS: usize = 200;

/// One row for every engine and outbox.
#[derive(Serialize)]
pub struct Growth {
    rows: Vec<Row>,
    aim: f64,
}

#[derive(Serialize)]
struct Row {
    engine: &'static str,
    finished: u64,
    pending: u64,
    claim_p50_ms: f64,
    claim_p99_ms: f64,
    /// Ratio to the first row of the same engine; median of the rounds.
    of_first: f64,
}

/// An outbox, and the durations of its claims.
struct Case {
    stock: Stock,
    store: Store,
    rounds: Vec<Vec<Duration>>,
}

/// Measures every engine.
pub async fn measure(rig: &Rig, args: &Args) -> Outcome<Growth> {
    let many = if args.quick { QUICK } else { MANY };
    let stocks = [(FEW, SOME), (SOME, SOME), (many, SOME), (FEW, many)];
    let stocks = stocks.map(|(finished, pending)| Stock { finished, pending });
    let mut engines: Vec<(&'static str, Vec<Case>)> = Vec::new();
    for (number, stock) in stocks.into_iter().enumerate() {
        for (at, instance) in rig.empty_instances(&format!("growth{number}")).await?.iter().enumerate() {
            let store = outbox::open(instance).await?;
            stock.put_into(instance).await?;
            if engines.len() == at {
                engines.push((instance.engine.name(), Vec::new()));
            }
            engines[at].1.push(Case { stock, store, rounds: Vec::new() });
        }
    }
    let mut rows = Vec::new();
    for (engine, mut cases) in engines {
        for _ in 0..args.rounds() {
            for case in &mut cases {
                let times = claims(&case.store).await?;
                case.rounds.push(times);
            }
        }
        rows.extend(cases.iter().map(|case| case.row(engine, &cases[0])));
        for case in cases {
            case.store.close().await;
        }
    }
    for row in &rows {
        progress(&format!("webhooks: {}", row.cells().join(" | ")));
    }
    Ok(Growth { rows, aim: AIM })
}

/// The sorted durations of many claims. Their transactions are rolled back, so that each finds the same outbox, and the
/// constant cost of a commit does not hide the growth.
async fn claims(store: &Store) -> Outcome<Vec<Duration>> {
    let mut times = Vec::with_capacity(CLAIMS);
    for number in 0..WARM_UP + CLAIMS {
        let mut tx = store.begin(&Principal::operator(), Operation::Deliver).await?;
        let began = Instant::now();
        let claimed = tx.outbox_claim(Queue::Webhook, OUTBOX_BATCH).await?;
        let took = began.elapsed();
        tx.rollback().await?;
        if claimed.len() < OUTBOX_BATCH {
            return Err(format!("a claim took {} events", claimed.len()).into());
        }
        if number >= WARM_UP {
            times.push(took);
        }
    }
    times.sort_unstable();
    Ok(times)
}

impl Case {
    fn row(&self, engine: &'static str, first: &Case) -> Row {
        let middle = |percent| median(self.rounds.iter().map(|times| millis(percentile(times, percent))));
        let ratios = self
            .rounds
            .iter()
            .zip(&first.rounds)
            .map(|(own, first)| percentile(own, 50).as_secs_f64() / percentile(first, 50).as_secs_f64());
        Row {
            engine,
            finished: self.stock.finished,
            pending: self.stock.pending,
            claim_p50_ms: middle(50),
            claim_p99_ms: middle(99),
            of_first: median(ratios),
        }
    }
}

impl Row {
    fn cells(&self) -> Vec<String> {
        vec![
            format!("{}, {} finished, {} pending", self.engine, self.finished, self.pending),
            format!("{:.3}", self.claim_p50_ms),
            format!("{:.3}", self.claim_p99_ms),
            format!("{:.2}", self.of_first),
        ]
    }
}

impl Growth {
    /// The table of the figures.
    pub fn table(&self) -> Table {
        Table {
            title: format!(
                "A claim of {OUTBOX_BATCH} events as the outbox grows, without its commit \
                 (aim: at most {AIM:.1} times)"
            ),
            columns: vec!["outbox", "claim p50 ms", "p99 ms", "times the first"],
            rows: self.rows.iter().map(Row::cells).collect(),
        }
    }
}
