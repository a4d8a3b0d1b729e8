//! `GET /auth/api/v1/user`, which applications send for each of their own requests, and the gate, which proxies ask.

use super::series::{LoadStats, Series};
use crate::Args;
use crate::aims;
use crate::askers::{Asker, GetRequest};
use crate::bare::{Answer, Bare};
use crate::check::Check;
use crate::instance::Engine;
use crate::load;
use crate::outcome::{Outcome, progress};
use crate::requests::{GATE, HEALTH, USER, refresh_cookies, user_cookies};
use crate::rig::Rig;
use crate::table::Table;
use serde::Serialize;
use std::net::SocketAddr;
use std::sync::Arc;

/// The bare route's figures, then each engine's.
#[derive(Serialize)]
pub struct User {
    bare: LoadStats,
    engines: Vec<EngineStats>,
}

#[derive(Serialize)]
struct EngineStats {
    engine: Engine,
    health: LoadStats,
    user: LoadStats,
    gate_by_access: LoadStats,
    gate_by_refresh: LoadStats,
}

struct Server {
    name: String,
    address: SocketAddr,
    process: u32,
    asked: Arc<[GetRequest]>,
    series: Series,
}

/// Measures the bare route and every engine alternately, round by round.
pub async fn measure(rig: &Rig, args: &Args) -> Outcome<User> {
    let mut services = Vec::new();
    let mut servers = Vec::new();
    for instance in &rig.instances {
        let service = instance.start().await?;
        for (name, target, cookies) in [
            ("doorward", USER, user_cookies(&instance.tokens)?),
            ("health", HEALTH, user_cookies(&instance.tokens)?),
            ("gate by access cookie", GATE, user_cookies(&instance.tokens)?),
            ("gate by refresh token", GATE, refresh_cookies(&instance.tokens)?),
        ] {
            servers.push(Server {
                name: format!("{name}, {}", instance.engine.name()),
                address: service.address,
                process: service.process.id(),
                asked: GetRequest::by_cookies(target, &cookies),
                series: Series::default(),
            });
        }
        services.push(service);
    }
    let first = servers.first().ok_or("there is no instance")?;
    let asked = first.asked.clone();
    let example = asked.first().ok_or("there is no user")?.request()?;
    let bare = Bare::start(&Answer::of(first.address, example).await?)?;
    let (name, series) = ("bare route".to_owned(), Series::default());
    let (address, process) = (bare.address, bare.process.id());
    servers.insert(0, Server { name, address, process, asked, series });
    for server in &servers {
        // Every token was seen before: the first verification of a token is not measured.
        let clients = Asker::sequential(args.connections.get(), &server.asked);
        load::send_requests(server.address, clients, server.asked.len() * 2).await?;
    }
    for round in 1..=args.rounds() {
        for server in &mut servers {
            let clients = Asker::many(args.connections.get(), &server.asked);
            let (_, run) = load::measure(server.address, server.process, clients, args.duration()).await?;
            progress(&format!("user, round {round}: {}: {:.0}/s", server.name, run.per_second));
            server.series.0.push(run);
        }
    }
    User::of(&servers, rig.instances.iter().map(|instance| instance.engine)).ok_or_else(|| "a server is missing".into())
}

impl User {
    /// The bare route's figures and those of each engine, in the order of the servers.
    fn of(servers: &[Server], engines: impl Iterator<Item = Engine>) -> Option<Self> {
        let bare = &servers.first()?.series;
        let mut figures = servers.iter().map(|server| server.series.figures(server.name.clone(), bare));
        Some(Self {
            bare: figures.next()?,
            engines: engines
                .map(|engine| {
                    Some(EngineStats {
                        engine,
                        user: figures.next()?,
                        health: figures.next()?,
                        gate_by_access: figures.next()?,
                        gate_by_refresh: figures.next()?,
                    })
                })
                .collect::<Option<_>>()?,
        })
    }

    /// `/auth/health` and `GET /user` of the bare route, and the gate by either cookie of `GET /user`.
    pub fn checks(&self) -> impl Iterator<Item = Check> {
        self.engines.iter().flat_map(|EngineStats { engine, health, user, gate_by_access, gate_by_refresh }| {
            [
                aims::HEALTH.check(*engine, health.of_bare),
                aims::USER.check(*engine, user.of_bare),
                aims::GATE_BY_ACCESS.check(*engine, gate_by_access.of_bare / user.of_bare),
                aims::GATE_BY_REFRESH.check(*engine, gate_by_refresh.of_bare / user.of_bare),
            ]
        })
    }

    pub fn table(&self) -> Table {
        let engines = self
            .engines
            .iter()
            .flat_map(|engine| [&engine.health, &engine.user, &engine.gate_by_access, &engine.gate_by_refresh]);
        Table {
            title: format!(
                "GET {HEALTH} (aim: at least {} of the bare route), GET {USER} ({}), and the gate with assertions ({} of \
                 GET {USER} by access cookie, {} by refresh token)",
                aims::HEALTH.cell(),
                aims::USER.cell(),
                aims::GATE_BY_ACCESS.cell(),
                aims::GATE_BY_REFRESH.cell()
            ),
            columns: LoadStats::COLUMNS.to_vec(),
            rows: [&self.bare].into_iter().chain(engines).map(LoadStats::cells).collect(),
        }
    }

    #[cfg(test)]
    pub fn sample() -> Self {
        let stats = |engine| EngineStats {
            engine,
            health: LoadStats::default(),
            user: LoadStats::default(),
            gate_by_access: LoadStats::default(),
            gate_by_refresh: LoadStats::default(),
        };
        Self { bare: LoadStats::default(), engines: Engine::ALL.map(stats).into() }
    }
}
