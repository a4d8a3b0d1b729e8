//! Two processes on one PostgreSQL database against one. Each process has a core of its own and the same load; what it
//! takes of its core for an answer counts, as load and database need the cores too.

use crate::Args;
use crate::instance::{Engine, Instance, Service};
use crate::load::{self, Run};
use crate::outcome::{Outcome, progress};
use crate::requests::{AskUser, Refresh, user_cookies};
use crate::rig::Rig;
use crate::stats::median;
use crate::table::Table;
use serde::Serialize;

/// What an operation costs two processes against one.
#[derive(Serialize)]
pub struct Two {
    operations: Vec<Operation>,
}

#[derive(Serialize)]
struct Operation {
    name: &'static str,
    one_per_second: f64,
    two_per_second: f64,
    one_cpu_us: f64,
    two_cpu_us: f64,
    /// Processor time of one process for an answer, as a share of that of two.
    per_core: f64,
}

/// Measures both operations; nothing where there is no PostgreSQL.
pub async fn measure(rig: &Rig, args: &Args) -> Outcome<Option<Two>> {
    let Some(instance) = rig.instances.iter().find(|instance| instance.engine == Engine::Postgres) else {
        return Ok(None);
    };
    let services = [instance.start_on_core(0).await?, instance.start_on_core(1).await?];
    let (mut asked, mut refreshed) = (Pairs::default(), Pairs::default());
    for round in 1..=args.rounds.get() {
        for services in [&services[..1], &services[..]] {
            asked.add(&user(instance, services, args).await?);
            refreshed.add(&refresh(instance, services, args, round).await?);
        }
        progress(&format!("two processes, round {round}"));
    }
    Ok(Some(Two { operations: vec![asked.operation("GET /user"), refreshed.operation("refresh")] }))
}

/// Answers per second and processor time for each, of one and of two processes in turn.
#[derive(Default)]
struct Pairs(Vec<(f64, f64)>);

impl Pairs {
    fn add(&mut self, runs: &[Run]) {
        let per_second = runs.iter().map(|run| run.per_second).sum::<f64>();
        let cpu = runs.iter().map(|run| run.cpu_us * run.per_second).sum::<f64>();
        self.0.push((per_second, cpu / per_second));
    }

    fn operation(&self, name: &'static str) -> Operation {
        let of = |place: usize, pick: fn(&(f64, f64)) -> f64| median(self.0.iter().skip(place).step_by(2).map(pick));
        let shares = self.0.chunks_exact(2).map(|pair| pair[0].1 / pair[1].1);
        Operation {
            name,
            one_per_second: of(0, |run| run.0),
            two_per_second: of(1, |run| run.0),
            one_cpu_us: of(0, |run| run.1),
            two_cpu_us: of(1, |run| run.1),
            per_core: median(shares),
        }
    }
}

async fn user(instance: &Instance, services: &[Service], args: &Args) -> Outcome<Vec<Run>> {
    let cookies = user_cookies(&instance.tokens)?;
    let clients = AskUser::many(args.connections.get(), &cookies);
    match services {
        [one] => Ok(vec![load::measure(one.address, one.process.id(), clients, args.duration()).await?.1]),
        [one, other, ..] => {
            let others = AskUser::many(clients.len(), &cookies);
            let (one, other) = tokio::join!(
                load::measure(one.address, one.process.id(), clients, args.duration()),
                load::measure(other.address, other.process.id(), others, args.duration()),
            );
            Ok(vec![one?.1, other?.1])
        }
        [] => Ok(Vec::new()),
    }
}

async fn refresh(instance: &Instance, services: &[Service], args: &Args, round: usize) -> Outcome<Vec<Run>> {
    let connections = args.connections.get();
    // Sessions that no run before has refreshed: their first tokens are the current ones.
    let first = connections * (3 * round + services.len());
    let count = connections * services.len();
    let sessions: Vec<Refresh> = instance.tokens.iter().rev().skip(first).take(count).map(Refresh::new).collect();
    if sessions.len() < count {
        return Err("there must be more users for so many rounds".into());
    }
    let mut sessions = sessions.into_iter();
    match services {
        [one] => {
            let run = load::measure(one.address, one.process.id(), sessions.collect(), args.duration()).await?;
            Ok(vec![run.1])
        }
        [one, other, ..] => {
            let first = sessions.by_ref().take(connections).collect();
            let (one, other) = tokio::join!(
                load::measure(one.address, one.process.id(), first, args.duration()),
                load::measure(other.address, other.process.id(), sessions.collect(), args.duration()),
            );
            Ok(vec![one?.1, other?.1])
        }
        [] => Ok(Vec::new()),
    }
}

impl Two {
    /// The table.
    pub fn table(&self) -> Table {
        let cells = |operation: &Operation| {
            vec![
                operation.name.to_owned(),
                format!("{:.0}", operation.one_per_second),
                format!("{:.0}", operation.two_per_second),
                format!("{:.0}", operation.one_cpu_us),
                format!("{:.0}", operation.two_cpu_us),
                format!("{:.2}", operation.per_core),
            ]
        };
        Table {
            title: "Two processes on one PostgreSQL database, each on a core (aim: per core no slower than one)"
                .to_owned(),
            columns: vec!["operation", "one process/s", "two/s", "CPU µs, one", "CPU µs, two", "per core, two to one"],
            rows: self.operations.iter().map(cells).collect(),
        }
    }
}
