//! `POST /auth/api/v1/sessions/refresh`: one durable commit each.

use super::series::{Figures, Series};
use crate::Args;
use crate::bare::{Answer, Bare};
use crate::instance::{Engine, Instance, Service, Tokens};
use crate::load::{self, Client};
use crate::outcome::{Outcome, progress};
use crate::requests::Refresh;
use crate::rig::Rig;
use crate::stats::median;
use crate::table::Table;
use crate::{commits, postgres::Cluster};
use serde::Serialize;

/// The database of the bare commits.
const DATABASE: &str = "commits";

/// The bare route's figures, then each engine's.
#[derive(Serialize)]
pub struct RefreshFigures {
    bare: Figures,
    engines: Vec<EngineFigures>,
}

#[derive(Serialize)]
struct EngineFigures {
    #[serde(flatten)]
    service: Figures,
    /// Bare single-row durable commits per second: in one loop on SQLite, by as many clients on PostgreSQL.
    commits_per_second: f64,
    /// Refreshes per second as a share of them.
    of_commits: f64,
}

struct Side<'a> {
    instance: &'a Instance,
    service: Service,
    sessions: Vec<Refresh>,
    series: Series,
    commits: Vec<f64>,
}

/// Measures the bare route, and for every engine its refreshes and its bare commits, round by round.
pub async fn measure(rig: &Rig, args: &Args) -> Outcome<RefreshFigures> {
    let connections = args.connections.get();
    if let Some(cluster) = &rig.cluster {
        cluster.create_database(DATABASE).await?;
    }
    let mut sides = Vec::new();
    for instance in &rig.instances {
        let sessions = instance.tokens.iter().take(connections).map(Refresh::new).collect();
        let service = instance.start().await?;
        sides.push(Side { instance, service, sessions, series: Series::default(), commits: Vec::new() });
    }
    let first = sides.first().ok_or("there is no instance")?;
    let example = first.instance.tokens.get(connections).ok_or("there must be more users than connections")?;
    let answer = Answer::of(first.service.address, Refresh::new(example).next()?).await?;
    let bare = Bare::start(&answer)?;
    let mut bare_series = Series::default();
    for round in 1..=args.rounds.get() {
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
    Ok(RefreshFigures { bare, engines })
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
        Ok(())
    }

    fn figures(&self, bare: &Series) -> EngineFigures {
        let engine = self.instance.engine.name();
        let pairs = self.series.0.iter().zip(&self.commits);
        EngineFigures {
            service: self.series.figures(format!("doorward, {engine}"), bare),
            commits_per_second: median(self.commits.iter().copied()),
            of_commits: median(pairs.map(|(run, commits)| run.per_second / commits)),
        }
    }
}

async fn postgres_commits(cluster: &Cluster, args: &Args) -> Outcome<f64> {
    commits::postgres(&cluster.url(DATABASE), args.connections.get(), args.duration()).await
}

impl RefreshFigures {
    /// The table.
    pub fn table(&self) -> Table {
        let bare = [self.bare.cells(), vec!["-".to_owned(), "-".to_owned()]].concat();
        let engines = self.engines.iter().map(|engine| {
            let commits = [format!("{:.0}", engine.commits_per_second), format!("{:.2}", engine.of_commits)];
            [engine.service.cells(), commits.to_vec()].concat()
        });
        Table {
            title: "POST /auth/api/v1/sessions/refresh (every one replaces its token and is durable)".to_owned(),
            columns: [&Figures::COLUMNS[..], &["bare commits/s", "of bare commits"]].concat(),
            rows: [bare].into_iter().chain(engines).collect(),
        }
    }
}
