//! `GET /auth/api/v1/user`, which applications send for each of their own requests, and the gate, which proxies ask.

use super::series::{LoadStats, Series};
use crate::Args;
use crate::askers::{Asker, GetRequest};
use crate::bare::{Answer, Bare};
use crate::check::Check;
use crate::load;
use crate::outcome::{Outcome, progress};
use crate::requests::{GATE, USER, refresh_cookies, user_cookies};
use crate::rig::Rig;
use crate::table::Table;
use serde::Serialize;
use std::net::SocketAddr;
use std::sync::Arc;

/// Aim, as a ratio to the bare route.
const AIM: f64 = 0.8;
/// Aim of the gate by either cookie, as a ratio to `GET /user` on the same database.
const AIM_GATE: f64 = 0.8;
/// The rows of each engine: by `GET /user`, by the gate with an access cookie, and with a refresh token alone.
const ROWS: usize = 3;

/// The bare route's figures, then each engine's.
#[derive(Serialize)]
pub struct User {
    servers: Vec<LoadStats>,
    aim_of_bare: f64,
    aim_gate: f64,
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
    let bare = &servers[0].series;
    let figures = servers.iter().map(|server| server.series.figures(server.name.clone(), bare));
    Ok(User { servers: figures.collect(), aim_of_bare: AIM, aim_gate: AIM_GATE })
}

impl User {
    /// `GET /user` of the bare route, and the gate by either cookie of `GET /user`.
    pub fn checks(&self) -> impl Iterator<Item = Check> {
        let engines = self.servers.get(1..).unwrap_or_default().chunks(ROWS);
        engines.filter_map(|servers| servers.split_first()).flat_map(|(user, gates)| {
            let of_bare = Check::ratio(format!("{USER}, {}, of the bare route", user.server), user.of_bare, AIM);
            let of_user = |gate: &LoadStats| {
                Check::ratio(format!("{} of {USER}", gate.server), gate.of_bare / user.of_bare, AIM_GATE)
            };
            std::iter::once(of_bare).chain(gates.iter().map(of_user)).collect::<Vec<_>>()
        })
    }

    /// The table.
    pub fn table(&self) -> Table {
        Table {
            title: format!(
                "GET {USER} (aim: at least {AIM} of the bare route), and the gate with assertions (aim: at least {AIM_GATE} \
                 of GET {USER})"
            ),
            columns: LoadStats::COLUMNS.to_vec(),
            rows: self.servers.iter().map(LoadStats::cells).collect(),
        }
    }
}
