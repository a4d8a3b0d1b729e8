//! The time from the start of the process until it is ready, and its memory.

use crate::Args;
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

/// What is aimed at on one engine.
#[derive(Clone, Copy, Serialize)]
struct Aims {
    /// A start with a new database.
    ready_ms: f64,
    idle_mb: f64,
    after_requests_mb: f64,
}

const AIMS_SQLITE: Aims = Aims { ready_ms: 100.0, idle_mb: 18.0, after_requests_mb: 28.0 };
const AIMS_POSTGRES: Aims = Aims { ready_ms: 200.0, idle_mb: 16.0, after_requests_mb: 24.0 };

impl Aims {
    fn text(self) -> String {
        format!("{:.0} ms, {:.0} MB, {:.0} MB", self.ready_ms, self.idle_mb, self.after_requests_mb)
    }
}

/// Each engine's figures.
#[derive(Serialize)]
pub struct Start {
    engines: Vec<EngineStats>,
}

#[derive(Serialize)]
struct EngineStats {
    server: String,
    new_database_ms: f64,
    existing_database_ms: f64,
    idle_mb: f64,
    after_requests_mb: f64,
    aims: Aims,
}

/// Measures every engine.
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
            server: format!("doorward, {engine}"),
            new_database_ms: median(new),
            existing_database_ms: median(existing),
            idle_mb,
            after_requests_mb,
            aims: match instance.engine {
                Engine::Sqlite => AIMS_SQLITE,
                Engine::Postgres => AIMS_POSTGRES,
            },
        });
    }
    Ok(Start { engines })
}

/// The start on an empty database.
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
    /// Time until ready, and memory.
    pub fn checks(&self) -> impl Iterator<Item = Check> {
        self.engines.iter().flat_map(|engine| {
            let what = |what| format!("{what}, {}", engine.server);
            [
                Check::millis(what("ready with a new database, ms"), engine.new_database_ms, engine.aims.ready_ms),
                Check::megabytes(what("idle, MB"), engine.idle_mb, engine.aims.idle_mb),
                Check::megabytes(
                    what("after 100,000 requests, MB"),
                    engine.after_requests_mb,
                    engine.aims.after_requests_mb,
                ),
            ]
        })
    }

    /// The table.
    pub fn table(&self) -> Table {
        let cells = |engine: &EngineStats| {
            vec![
                engine.server.clone(),
                format!("{:.0}", engine.new_database_ms),
                format!("{:.0}", engine.existing_database_ms),
                format!("{:.1}", engine.idle_mb),
                format!("{:.1}", engine.after_requests_mb),
            ]
        };
        Table {
            title: format!(
                "Start until ready, and resident memory (aims: {}, SQLite; {}, PostgreSQL)",
                AIMS_SQLITE.text(),
                AIMS_POSTGRES.text()
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
}
