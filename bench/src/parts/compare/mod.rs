//! Two builds of the service side by side: what a change costs each of seven operations.

mod database;
mod newcomer;
mod operation;
mod ratios;

pub use operation::ComparedOperation;

use crate::Args;
use crate::instance::Engine;
use crate::load::Run;
use crate::outcome::{Outcome, progress};
use crate::parts::login;
use crate::process::doorward;
use crate::rig::Rig;
use crate::stats::median;
use crate::table::Table;
use clap::ValueEnum;
use database::Database;
use ratios::{Comparisons, RatioStats};
use serde::Serialize;
use std::path::PathBuf;

/// The figures of each operation on each engine.
#[derive(Serialize)]
pub struct Comparison {
    users: usize,
    rounds: usize,
    seconds: u32,
    connections: usize,
    connections_of_login_and_signup: usize,
    fail_below: Option<f64>,
    operations: Vec<OperationStats>,
}

#[derive(Serialize)]
struct OperationStats {
    operation: &'static str,
    engine: &'static str,
    before_per_second: f64,
    after_per_second: f64,
    before_cpu_us: f64,
    after_cpu_us: f64,
    #[serde(flatten)]
    speed: RatioStats,
}

/// Both builds on one engine, before and after.
struct Pair {
    engine: Engine,
    programs: [PathBuf; 2],
    /// Two databases alike. Each serves either build in half of the rounds.
    databases: [Database; 2],
    operations: Vec<(ComparedOperation, Vec<[Run; 2]>)>,
}

/// Measures the build of `--before` and that of `--after` in turn, so that what else the machine does falls on both. Each
/// round in new processes of new copies of the programs, and every second round with the databases exchanged: where
/// memory and files happen to lie makes one faster than the next of the same build.
pub async fn measure(rig: &Rig, args: &Args) -> Outcome<Comparison> {
    let before = args.before.clone().ok_or("compare needs --before with the other build's doorward")?;
    let after = args.after.clone().map_or_else(doorward, Ok)?;
    if let Some(absent) = [&before, &after].into_iter().find(|program| !program.is_file()) {
        return Err(format!("{} is no file", absent.display()).into());
    }
    let mut pairs = pairs(rig, args, [before, after]).await?;
    for round in 1..=args.rounds() {
        for pair in &mut pairs {
            pair.measure(round, args).await?;
        }
    }
    Ok(Comparison {
        users: args.users(),
        rounds: args.rounds(),
        seconds: args.seconds(),
        connections: args.connections.get(),
        connections_of_login_and_signup: login::CLIENTS,
        fail_below: args.fail_below,
        operations: figures(&pairs),
    })
}

/// The databases are filled by the same code.
async fn pairs(rig: &Rig, args: &Args, programs: [PathBuf; 2]) -> Outcome<Vec<Pair>> {
    let all = ComparedOperation::value_variants();
    let operations = if args.operations.is_empty() { all } else { &args.operations };
    let size = (args.users(), args.connections.get());
    let instances = rig.empty_instances("compared").await?.into_iter().zip(rig.empty_instances("other").await?);
    let mut pairs = Vec::new();
    for (one, other) in instances {
        let engine = one.engine;
        if args.engine.is_some_and(|chosen| chosen != engine) {
            continue;
        }
        let databases =
            [Database::prepare(one, operations, size).await?, Database::prepare(other, operations, size).await?];
        let operations = operations.iter().map(|operation| (*operation, Vec::new())).collect();
        pairs.push(Pair { engine, programs: programs.clone(), databases, operations });
    }
    if pairs.is_empty() {
        return Err("there is no PostgreSQL here to compare on".into());
    }
    Ok(pairs)
}

impl Pair {
    /// One round of every operation. Neither build is always the one that comes second, and in four rounds each comes
    /// first and second on either database.
    async fn measure(&mut self, round: usize, args: &Args) -> Outcome<()> {
        let is_reversed = round.is_multiple_of(2);
        let is_exchanged = (round / 2).is_multiple_of(2);
        let ([before, after], [one, other]) = (&self.programs, &mut self.databases);
        let (of_before, of_after) = if is_exchanged { (other, one) } else { (one, other) };
        let mut sides = [(before, of_before), (after, of_after)];
        if is_reversed {
            sides.reverse();
        }
        let [(first_program, first), (second_program, second)] = sides;
        let services = [first.start(first_program).await?, second.start(second_program).await?];
        let comparisons = Comparisons(self.operations.len());
        for (place, (operation, rounds)) in self.operations.iter_mut().enumerate() {
            let mut runs = [
                first.measure(place, &services[0], args.duration()).await?,
                second.measure(place, &services[1], args.duration()).await?,
            ];
            if is_reversed {
                runs.reverse();
            }
            rounds.push(runs);
            let speed = RatioStats::of(rounds.iter().map(ratio).collect(), comparisons);
            let (operation, engine) = (operation.name(), self.engine.name());
            progress(&format!("compare, round {round}: {engine}: {operation}: {:.3}", speed.median_ratio));
        }
        Ok(())
    }
}

fn ratio([before, after]: &[Run; 2]) -> f64 {
    after.per_second / before.per_second
}

fn figures(pairs: &[Pair]) -> Vec<OperationStats> {
    let comparisons = Comparisons(pairs.iter().map(|pair| pair.operations.len()).sum());
    let all = pairs.iter().flat_map(|pair| {
        let engine = pair.engine.name();
        pair.operations.iter().map(move |(operation, rounds)| stats(*operation, engine, rounds, comparisons))
    });
    all.collect()
}

fn stats(
    operation: ComparedOperation,
    engine: &'static str,
    rounds: &[[Run; 2]],
    comparisons: Comparisons,
) -> OperationStats {
    let middle = |of: fn(&[Run; 2]) -> f64| median(rounds.iter().map(of));
    OperationStats {
        operation: operation.name(),
        engine,
        before_per_second: middle(|[before, _]| before.per_second),
        after_per_second: middle(|[_, after]| after.per_second),
        before_cpu_us: middle(|[before, _]| before.cpu_us),
        after_cpu_us: middle(|[_, after]| after.cpu_us),
        speed: RatioStats::of(rounds.iter().map(ratio).collect(), comparisons),
    }
}

impl Comparison {
    /// What is below the limit of `--fail-below`, a line each.
    pub fn failures(&self) -> Vec<String> {
        let Some(limit) = self.fail_below else { return Vec::new() };
        let below = self.operations.iter().filter(|operation| operation.speed.is_below(limit));
        below
            .map(|OperationStats { operation, engine, speed, .. }| {
                format!("{operation}, {engine}: {:.4} of the build before is below {limit}", speed.median_ratio)
            })
            .collect()
    }

    pub fn table(&self) -> Table {
        Table {
            title: format!(
                "Two builds, {} users, {} connections ({} for login and signup)",
                self.users, self.connections, self.connections_of_login_and_signup
            ),
            columns: vec![
                "operation",
                "before/s",
                "after/s",
                "CPU µs/request before",
                "after",
                "after to before",
                "interval, 95 % for all",
                "middle half",
                "verdict",
            ],
            rows: self.operations.iter().map(OperationStats::cells).collect(),
        }
    }
}

impl OperationStats {
    fn cells(&self) -> Vec<String> {
        let range = |(low, high): (f64, f64)| format!("{low:.3} to {high:.3}");
        vec![
            format!("{}, {}", self.operation, self.engine),
            format!("{:.0}", self.before_per_second),
            format!("{:.0}", self.after_per_second),
            format!("{:.1}", self.before_cpu_us),
            format!("{:.1}", self.after_cpu_us),
            format!("{:.3}", self.speed.median_ratio),
            self.speed.interval.map_or_else(|| "-".to_owned(), range),
            range(self.speed.quartiles),
            self.speed.in_words(),
        ]
    }
}
