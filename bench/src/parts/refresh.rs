//! `POST /auth/api/v1/sessions/refresh`: one durable commit each.

use super::series::{LoadStats, Series};
use crate::Args;
use crate::aims;
use crate::bare::{Answer, Bare};
use crate::check::Check;
use crate::instance::{Engine, Instance, Service, Tokens};
use crate::load::{self, Client};
use crate::outcome::{Outcome, progress};
use crate::pgbench::PgBench;
use crate::requests::Refresh;
use crate::rig::{self, Rig};
use crate::stats::median;
use crate::table::Table;
use crate::{commits, postgres::Cluster};
use serde::Serialize;

const DATABASE: &str = "commits";

/// The bare route's figures, then each engine's.
#[derive(Serialize)]
pub struct RefreshStats {
    bare: LoadStats,
    engines: Vec<EngineStats>,
}

#[derive(Serialize)]
struct EngineStats {
    engine: Engine,
    #[serde(flatten)]
    service: LoadStats,
    /// Bare durable commits of one row per second: in one loop on SQLite, by the same number of clients on PostgreSQL.
    commits_per_second: f64,
    /// Ratio of refreshes to bare commits.
    of_commits: f64,
    /// The same statements from pgbench, per second; `None` on SQLite, and if it is not installed.
    pgbench_per_second: Option<f64>,
    /// Ratio of refreshes to pgbench.
    of_pgbench: Option<f64>,
}

struct Side<'a> {
    instance: &'a Instance,
    service: Service,
    sessions: Vec<Refresh>,
    series: Series,
    commits: Vec<f64>,
    pgbench: Option<PgBench>,
    statements: Vec<f64>,
}

/// Measures the bare route, and the refreshes and bare commits of every engine, round by round.
pub async fn measure(rig: &Rig, args: &Args) -> Outcome<RefreshStats> {
    let connections = args.connections.get();
    if let Some(cluster) = &rig.cluster {
        cluster.create_database(DATABASE).await?;
    }
    let mut sides = Vec::new();
    for instance in &rig.instances {
        let sessions = instance.tokens.iter().take(connections).map(Refresh::new).collect();
        let service = instance.start().await?;
        let pgbench = match (instance.engine, &rig.cluster) {
            (Engine::Postgres, Some(cluster)) => {
                PgBench::prepare(cluster, rig::DATABASE, &rig.path("refresh.sql")).await?
            }
            _ => None,
        };
        let (series, commits, statements) = (Series::default(), Vec::new(), Vec::new());
        sides.push(Side { instance, service, sessions, series, commits, pgbench, statements });
    }
    let first = sides.first().ok_or("there is no instance")?;
    let example = first.instance.tokens.get(connections).ok_or("there must be more users than connections")?;
    let answer = Answer::of(first.service.address, Refresh::new(example).next()?).await?;
    let bare = Bare::start(&answer)?;
    let mut bare_series = Series::default();
    for round in 1..=args.rounds() {
        let asking = like(example, connections);
        let (_, run) = load::measure(bare.address, bare.process.id(), asking, args.duration()).await?;
        progress(&format!("refresh, round {round}: bare route: {:.0}/s", run.per_second));
        bare_series.0.push(run);
        for side in &mut sides {
            side.measure(rig, args, round).await?;
        }
    }
    let bare = bare_series.figures("bare route".to_owned(), &bare_series);
    let engines = sides.iter().map(|side| side.figures(&bare_series)).collect();
    Ok(RefreshStats { bare, engines })
}

fn like(tokens: &Tokens, connections: usize) -> Vec<Refresh> {
    (0..connections).map(|_| Refresh::new(tokens)).collect()
}

impl Side<'_> {
    async fn measure(&mut self, rig: &Rig, args: &Args, round: usize) -> Outcome<()> {
        let sessions = std::mem::take(&mut self.sessions);
        let process = self.service.process.id();
        let (sessions, run) = load::measure(self.service.address, process, sessions, args.duration()).await?;
        self.sessions = sessions;
        let commits = match (self.instance.engine, &rig.cluster) {
            (Engine::Postgres, Some(cluster)) => postgres_commits(cluster, args).await?,
            _ => commits::sqlite(&rig.path("commits.db"), args.duration()).await?,
        };
        let engine = self.instance.engine.name();
        progress(&format!("refresh, round {round}: {engine}: {:.0}/s, bare commits {commits:.0}/s", run.per_second));
        self.series.0.push(run);
        self.commits.push(commits);
        if let Some(pgbench) = &self.pgbench {
            self.statements.push(pgbench.run(args.connections.get(), args.duration()).await?);
        }
        Ok(())
    }

    fn figures(&self, bare: &Series) -> EngineStats {
        let engine = self.instance.engine;
        let share = |of: &[f64]| median(self.series.0.iter().zip(of).map(|(run, other)| run.per_second / other));
        EngineStats {
            engine,
            service: self.series.figures(format!("doorward, {}", engine.name()), bare),
            commits_per_second: median(self.commits.iter().copied()),
            of_commits: share(&self.commits),
            pgbench_per_second: self.pgbench.as_ref().map(|_| median(self.statements.iter().copied())),
            of_pgbench: self.pgbench.as_ref().map(|_| share(&self.statements)),
        }
    }
}

async fn postgres_commits(cluster: &Cluster, args: &Args) -> Outcome<f64> {
    commits::postgres(&cluster.url(DATABASE), args.connections.get(), args.duration()).await
}

impl RefreshStats {
    /// Of pgbench where it is installed; on SQLite of bare commits.
    pub fn checks(&self) -> impl Iterator<Item = Check> {
        self.engines.iter().filter_map(|engine| {
            let share = match engine.engine {
                Engine::Sqlite => engine.of_commits,
                Engine::Postgres => engine.of_pgbench?,
            };
            Some(aims::REFRESH.check(engine.engine, share))
        })
    }

    pub fn table(&self) -> Table {
        let dash = || "-".to_owned();
        let bare = [self.bare.cells(), vec![dash(), dash(), dash(), dash()]].concat();
        let engines = self.engines.iter().map(|engine| {
            let commits = [format!("{:.0}", engine.commits_per_second), format!("{:.2}", engine.of_commits)];
            let pgbench = [
                engine.pgbench_per_second.map_or_else(dash, |per_second| format!("{per_second:.0}")),
                engine.of_pgbench.map_or_else(dash, |share| format!("{share:.2}")),
            ];
            [engine.service.cells(), commits.to_vec(), pgbench.to_vec()].concat()
        });
        Table {
            title: format!(
                "POST /auth/api/v1/sessions/refresh, each durable (aims: at least {}, of bare commits on SQLite, of \
                 pgbench on PostgreSQL)",
                aims::REFRESH.cell()
            ),
            columns: [&LoadStats::COLUMNS[..], &["bare commits/s", "of them", "pgbench/s", "of it"]].concat(),
            rows: [bare].into_iter().chain(engines).collect(),
        }
    }

    #[cfg(test)]
    pub fn sample() -> Self {
        let stats = |engine| EngineStats {
            engine,
            service: LoadStats::default(),
            commits_per_second: 1.0,
            of_commits: 1.0,
            pgbench_per_second: Some(1.0),
            of_pgbench: Some(1.0),
        };
        Self { bare: LoadStats::default(), engines: Engine::ALL.map(stats).into() }
    }
}
