//! `GET /auth/api/v1/user`, which applications send for each of their own requests.

use super::series::{LoadStats, Series};
use crate::Args;
use crate::bare::{Answer, Bare};
use crate::guard::RatioCheck;
use crate::load;
use crate::outcome::{Outcome, progress};
use crate::requests::{USER, UserRequests, request, user_cookies};
use crate::rig::Rig;
use crate::table::Table;
use axum::http::{HeaderValue, Method};
use serde::Serialize;
use std::net::SocketAddr;
use std::sync::Arc;

/// Aims, as ratios to the bare route.
const AIM_SQLITE: f64 = 0.65;
const AIM_POSTGRES: f64 = 0.6;
/// A bound that only a regression falls below, even on a busy machine.
const MIN_RATIO: f64 = 0.5;

/// The bare route's figures, then each engine's.
#[derive(Serialize)]
pub struct User {
    servers: Vec<LoadStats>,
    aim_sqlite_of_bare: f64,
    aim_postgresql_of_bare: f64,
}

struct Server {
    name: String,
    address: SocketAddr,
    process: u32,
    cookies: Arc<[HeaderValue]>,
    series: Series,
}

/// Measures the bare route and every engine alternately, round by round.
pub async fn measure(rig: &Rig, args: &Args) -> Outcome<User> {
    let mut services = Vec::new();
    let mut servers = Vec::new();
    for instance in &rig.instances {
        let service = instance.start().await?;
        servers.push(Server {
            name: format!("doorward, {}", instance.engine.name()),
            address: service.address,
            process: service.process.id(),
            cookies: user_cookies(&instance.tokens)?,
            series: Series::default(),
        });
        services.push(service);
    }
    let first = servers.first().ok_or("there is no instance")?;
    let cookies = first.cookies.clone();
    let asked = request(Method::GET, USER, cookies.first().ok_or("there is no user")?.clone())?;
    let bare = Bare::start(&Answer::of(first.address, asked).await?)?;
    let (name, series) = ("bare route".to_owned(), Series::default());
    servers.insert(0, Server { name, address: bare.address, process: bare.process.id(), cookies, series });
    for server in &servers {
        // Every token was seen before: the first verification of a token is not measured.
        let clients = UserRequests::sequential(args.connections.get(), &server.cookies);
        load::send_requests(server.address, clients, server.cookies.len() * 2).await?;
    }
    for round in 1..=args.rounds.get() {
        for server in &mut servers {
            let clients = UserRequests::many(args.connections.get(), &server.cookies);
            let (_, run) = load::measure(server.address, server.process, clients, args.duration()).await?;
            progress(&format!("user, round {round}: {}: {:.0}/s", server.name, run.per_second));
            server.series.0.push(run);
        }
    }
    let bare = &servers[0].series;
    let figures = servers.iter().map(|server| server.series.figures(server.name.clone(), bare));
    Ok(User { servers: figures.collect(), aim_sqlite_of_bare: AIM_SQLITE, aim_postgresql_of_bare: AIM_POSTGRES })
}

impl User {
    /// The lower bounds.
    pub fn checks(&self) -> impl Iterator<Item = RatioCheck> {
        let of = |server: &LoadStats| RatioCheck {
            what: format!("{USER}, {}, of the bare route", server.server),
            ratio: server.of_bare,
            minimum: MIN_RATIO,
        };
        self.servers.iter().skip(1).map(of)
    }

    /// The table.
    pub fn table(&self) -> Table {
        Table {
            title: format!(
                "GET {USER} (aims: at least {AIM_SQLITE} of the bare route on SQLite, {AIM_POSTGRES} on PostgreSQL)"
            ),
            columns: LoadStats::COLUMNS.to_vec(),
            rows: self.servers.iter().map(LoadStats::cells).collect(),
        }
    }
}
