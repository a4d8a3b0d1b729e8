//! The time from the start of the process until it is ready, and its memory.

use crate::Args;
use crate::aims;
use crate::askers::{Asker, GetRequest};
use crate::check::Check;
use crate::instance::{Engine, Instance, Service};
use crate::load;
use crate::outcome::{Outcome, progress};
use crate::requests::{USER, user_cookies};
use crate::rig::{self, Rig};
use crate::stats::{median, millis};
use crate::table::Table;
use serde::Serialize;
use std::time::Duration;

const STARTS: usize = 7;
const REQUESTS: usize = 100_000;
/// The time after its start before a process counts as idle.
const SETTLE_TIME: Duration = Duration::from_secs(2);
const DATABASE: &str = "new";

#[derive(Serialize)]
pub struct Start {
    engines: Vec<EngineStats>,
}

#[derive(Serialize)]
struct EngineStats {
    engine: Engine,
    new_database_ms: f64,
    existing_database_ms: f64,
    idle_mb: f64,
    after_requests_mb: f64,
}

pub async fn measure(rig: &mut Rig, args: &Args) -> Outcome<Start> {
    let mut engines = Vec::new();
    for instance in &rig.instances {
        let engine = instance.engine.name();
        let (mut new, mut existing) = (Vec::new(), Vec::new());
        for _ in 0..STARTS {
            new.push(millis(start_new(rig, instance).await?));
            existing.push(millis(instance.start().await?.start));
        }
        progress(&format!("start: {engine}: ready {STARTS} times"));
        let service = instance.start().await?;
        tokio::time::sleep(SETTLE_TIME).await;
        let idle_mb = service.process.resident_megabytes()?;
        let after_requests_mb = after_requests(instance, &service, args).await?;
        progress(&format!("start: {engine}: {REQUESTS} requests served"));
        engines.push(EngineStats {
            engine: instance.engine,
            new_database_ms: median(new),
            existing_database_ms: median(existing),
            idle_mb,
            after_requests_mb,
        });
    }
    Ok(Start { engines })
}

async fn start_new(rig: &Rig, like: &Instance) -> Outcome<Duration> {
    let directory = rig.path("new");
    let url = match (like.engine, &rig.cluster) {
        (Engine::Postgres, Some(cluster)) => {
            cluster.create_database(DATABASE).await?;
            Some(cluster.url(DATABASE))
        }
        _ => None,
    };
    let Service { start, .. } = Instance::new(&directory, url)?.start().await?;
    rig::remove(&directory);
    Ok(start)
}

async fn after_requests(instance: &Instance, service: &Service, args: &Args) -> Outcome<f64> {
    let asked = GetRequest::by_cookies(USER, &user_cookies(&instance.tokens)?);
    let clients = Asker::many(args.connections.get(), &asked);
    load::send_requests(service.address, clients, REQUESTS).await?;
    service.process.resident_megabytes()
}

impl Start {
    pub fn checks(&self) -> impl Iterator<Item = Check> {
        self.engines.iter().flat_map(|stats| {
            [
                aims::READY.check(stats.engine, stats.new_database_ms),
                aims::IDLE.check(stats.engine, stats.idle_mb),
                aims::AFTER_REQUESTS.check(stats.engine, stats.after_requests_mb),
            ]
        })
    }

    pub fn table(&self) -> Table {
        let cells = |stats: &EngineStats| {
            vec![
                format!("doorward, {}", stats.engine.name()),
                format!("{:.0}", stats.new_database_ms),
                format!("{:.0}", stats.existing_database_ms),
                format!("{:.1}", stats.idle_mb),
                format!("{:.1}", stats.after_requests_mb),
            ]
        };
        Table {
            title: format!(
                "Start until ready, and resident memory (aims on SQLite and PostgreSQL: {}, idle {}, {})",
                aims::READY.cell(),
                aims::IDLE.cell(),
                aims::AFTER_REQUESTS.cell()
            ),
            columns: vec![
                "server",
                "new database ms",
                "existing database ms",
                "idle MB",
                "after 100,000 user requests MB",
            ],
            rows: self.engines.iter().map(cells).collect(),
        }
    }

    #[cfg(test)]
    pub fn sample() -> Self {
        let stats = |engine| EngineStats {
            engine,
            new_database_ms: 1.0,
            existing_database_ms: 1.0,
            idle_mb: 1.0,
            after_requests_mb: 1.0,
        };
        Self { engines: Engine::ALL.map(stats).into() }
    }
}
