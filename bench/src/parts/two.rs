//! Two processes on one PostgreSQL database against one. Each process has its own core and the same load. Processor
//! time per response is compared, as the load and the database share the cores. Two bare routes against one show the
//! limit of the machine: a second process also competes for the load's core and for the cache.

use crate::Args;
use crate::askers::{Asker, GetRequest};
use crate::bare::{Answer, Bare};
use crate::instance::{Engine, Service};
use crate::load::{self, Client, Run};
use crate::outcome::{Outcome, progress};
use crate::requests::{Refresh, USER, user_cookies};
use crate::rig::Rig;
use crate::stats::median;
use crate::table::Table;
use serde::Serialize;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::task::JoinSet;

/// The cost of operations with two processes against one.
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
    /// Ratio of the processor time per response with one process to that with two.
    per_core: f64,
}

/// A process under load.
#[derive(Clone, Copy)]
struct Server {
    address: SocketAddr,
    process: u32,
}

impl From<&Service> for Server {
    fn from(service: &Service) -> Self {
        Self { address: service.address, process: service.process.id() }
    }
}

impl From<&Bare> for Server {
    fn from(bare: &Bare) -> Self {
        Self { address: bare.address, process: bare.process.id() }
    }
}

/// Measures every operation; `None` without PostgreSQL.
pub async fn measure(rig: &Rig, args: &Args) -> Outcome<Option<Two>> {
    let Some(instance) = rig.instances.iter().find(|instance| instance.engine == Engine::Postgres) else {
        return Ok(None);
    };
    let services = [instance.start_on_core(0).await?, instance.start_on_core(1).await?];
    let asked = GetRequest::by_cookies(USER, &user_cookies(&instance.tokens)?);
    let answer = Answer::of(services[0].address, asked.first().ok_or("there is no user")?.request()?).await?;
    let bare = [Bare::start_on_core(0, &answer)?, Bare::start_on_core(1, &answer)?];
    let (services, bare) = (services.each_ref().map(Server::from), bare.each_ref().map(Server::from));
    let (connections, duration) = (args.connections.get(), args.duration());
    // Sessions that no earlier run has refreshed, so their first tokens are current.
    let mut unused = instance.tokens.iter().rev().map(Refresh::new);
    let mut operations = ["bare route", "GET /user", "refresh"].map(|name| (name, Pairs::default()));
    for round in 1..=args.rounds() {
        for processes in 1..=services.len() {
            let user_clients = || (0..processes).map(|_| Asker::many(connections, &asked)).collect();
            let refreshers: Vec<Vec<Refresh>> =
                (0..processes).map(|_| unused.by_ref().take(connections).collect()).collect();
            if refreshers.iter().any(|clients| clients.len() < connections) {
                return Err("there must be more users for so many rounds".into());
            }
            let [(_, bare_runs), (_, user_runs), (_, refresh_runs)] = &mut operations;
            bare_runs.add(&load_all(&bare, user_clients(), duration).await?);
            user_runs.add(&load_all(&services, user_clients(), duration).await?);
            refresh_runs.add(&load_all(&services, refreshers, duration).await?);
        }
        progress(&format!("two processes, round {round}"));
    }
    let operations = operations.iter().map(|(name, pairs)| pairs.operation(name)).collect();
    Ok(Some(Two { operations }))
}

/// Runs each group of clients against its own server, all at the same time.
async fn load_all<C: Client>(servers: &[Server], clients: Vec<Vec<C>>, duration: Duration) -> Outcome<Vec<Run>> {
    let mut tasks = JoinSet::new();
    for (server, clients) in servers.iter().copied().zip(clients) {
        tasks.spawn(async move { load::measure(server.address, server.process, clients, duration).await });
    }
    let mut runs = Vec::new();
    while let Some(done) = tasks.join_next().await {
        runs.push(done??.1);
    }
    Ok(runs)
}

/// Responses per second and processor time per response, alternating between one and two processes.
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
            title: "Two processes on one PostgreSQL database, each on a core (aim: per core no slower than one, beyond what \
                    the machine takes of two bare routes)"
                .to_owned(),
            columns: vec!["operation", "one process/s", "two/s", "CPU µs, one", "CPU µs, two", "per core, two to one"],
            rows: self.operations.iter().map(cells).collect(),
        }
    }
}
