//! Logins against the bare hash, and their effect on concurrent requests.

use crate::Args;
use crate::askers::{Asker, GetRequest};
use crate::instance::{Engine, Instance, Service};
use crate::load::{self, Client, Request};
use crate::mass::PASSWORD;
use crate::outcome::{Outcome, progress};
use crate::process::cores;
use crate::requests::{USER, log_in, user_cookies};
use crate::rig::Rig;
use crate::seed;
use crate::stats::{count, median, millis, percentile};
use crate::table::Table;
use axum::http::HeaderMap;
use doorward::crypto::password::{Params, PasswordHasher, PasswordMatch};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Enough to keep every core hashing, with a queue.
pub const CLIENTS: usize = 16;
/// The open loop's rate, as a share of the closed loop's.
const LOAD_SHARE: f64 = 0.2;
const AIM_OF_HASHES: f64 = 0.9;
const AIM_P99: f64 = 3.0;

/// Each engine's figures.
#[derive(Serialize)]
pub struct LogIn {
    engines: Vec<EngineStats>,
    aim_of_hashes: f64,
    aim_p99_times: f64,
}

#[derive(Serialize)]
struct EngineStats {
    server: String,
    log_ins_per_second: f64,
    hashes_per_second: f64,
    of_hashes: f64,
    user_p99_ms: f64,
    user_p99_ms_during_log_ins: f64,
    p99_times: f64,
}

#[derive(Default)]
struct Rounds {
    log_ins: Vec<f64>,
    hashes: Vec<f64>,
    /// Of all rounds together, as a high percentile of one round depends on few samples.
    calm: Vec<Duration>,
    busy: Vec<Duration>,
}

/// Measures every engine.
pub async fn measure(rig: &Rig, args: &Args) -> Outcome<LogIn> {
    let mut engines = Vec::new();
    for instance in &rig.instances {
        let service = instance.start().await?;
        let capacity = capacity(instance, &service, args).await?;
        let mut rounds = Rounds::default();
        for round in 1..=args.rounds() {
            rounds.measure(instance, &service, capacity * LOAD_SHARE, args).await?;
            progress(&format!("login, round {round}: {}: {:?}/s", instance.engine.name(), rounds.log_ins.last()));
        }
        engines.push(rounds.figures(instance.engine));
    }
    Ok(LogIn { engines, aim_of_hashes: AIM_OF_HASHES, aim_p99_times: AIM_P99 })
}

async fn capacity(instance: &Instance, service: &Service, args: &Args) -> Outcome<f64> {
    let clients = user_clients(instance, args)?;
    let (_, run) = load::measure(service.address, service.process.id(), clients, args.duration()).await?;
    Ok(run.per_second)
}

fn user_clients(instance: &Instance, args: &Args) -> Outcome<Vec<Asker>> {
    let asked = GetRequest::by_cookies(USER, &user_cookies(&instance.tokens)?);
    Ok(Asker::many(args.connections.get(), &asked))
}

impl Rounds {
    async fn measure(&mut self, instance: &Instance, service: &Service, rate: f64, args: &Args) -> Outcome<()> {
        let (address, duration) = (service.address, args.duration());
        self.hashes.push(hashes(duration).await?);
        let (_, alone) = load::measure(address, service.process.id(), LogIns::many(instance), duration).await?;
        self.log_ins.push(alone.per_second);
        self.calm.append(&mut load::open_loop(address, user_clients(instance, args)?, rate, duration).await?);
        let log_ins = load::measure(address, service.process.id(), LogIns::many(instance), duration + duration / 2);
        let asking = load::open_loop(address, user_clients(instance, args)?, rate, duration);
        let (log_ins, busy) = tokio::join!(log_ins, asking);
        log_ins?;
        self.busy.append(&mut busy?);
        Ok(())
    }

    fn figures(mut self, engine: Engine) -> EngineStats {
        self.calm.sort_unstable();
        self.busy.sort_unstable();
        let (calm, busy) = (millis(percentile(&self.calm, 99)), millis(percentile(&self.busy, 99)));
        EngineStats {
            server: format!("doorward, {}", engine.name()),
            log_ins_per_second: median(self.log_ins.iter().copied()),
            hashes_per_second: median(self.hashes.iter().copied()),
            of_hashes: median(self.log_ins.iter().zip(&self.hashes).map(|(log_ins, hashes)| log_ins / hashes)),
            user_p99_ms: calm,
            user_p99_ms_during_log_ins: busy,
            p99_times: busy / calm,
        }
    }
}

/// Hashes per second of the bare library on every core.
async fn hashes(duration: Duration) -> Outcome<f64> {
    let hasher = Arc::new(PasswordHasher::new(Params::OWASP)?);
    let stored: Arc<str> = hasher.hash(PASSWORD)?.into();
    let begin = Instant::now();
    let end = begin + duration;
    let work = (0..cores()).map(|_| {
        let (hasher, stored) = (hasher.clone(), stored.clone());
        tokio::task::spawn_blocking(move || {
            let mut done = 0;
            while Instant::now() < end {
                let right = hasher.verify(PASSWORD, Some(&stored))?;
                done += usize::from(right != PasswordMatch::No);
            }
            Ok::<usize, doorward::crypto::password::PasswordError>(done)
        })
    });
    let mut done = 0;
    for core in work.collect::<Vec<_>>() {
        done += core.await??;
    }
    // The last hashes end a little later.
    Ok(count(done) / begin.elapsed().as_secs_f64())
}

/// Logs in one user after another, each from a browser without a session.
struct LogIns {
    next: usize,
    users: usize,
}

impl LogIns {
    fn many(instance: &Instance) -> Vec<Self> {
        (0..CLIENTS).map(|client| Self { next: client, users: instance.tokens.len() }).collect()
    }
}

impl Client for LogIns {
    fn next(&mut self) -> Outcome<Request> {
        let email = seed::email(self.next % self.users);
        self.next += CLIENTS;
        log_in(&email)
    }

    fn status(&self) -> u16 {
        303
    }

    fn answered(&mut self, _: &HeaderMap) -> Outcome<bool> {
        Ok(true)
    }
}

impl LogIn {
    /// The table.
    pub fn table(&self) -> Table {
        let cells = |engine: &EngineStats| {
            vec![
                engine.server.clone(),
                format!("{:.0}", engine.log_ins_per_second),
                format!("{:.0}", engine.hashes_per_second),
                format!("{:.2}", engine.of_hashes),
                format!("{:.2}", engine.user_p99_ms),
                format!("{:.2}", engine.user_p99_ms_during_log_ins),
                format!("{:.1}", engine.p99_times),
            ]
        };
        Table {
            title: format!(
                "Log-ins against the bare hash (aim: {AIM_OF_HASHES}), and GET /user in an open loop at {LOAD_SHARE} of its \
                 capacity without and during them (aim: p99 at most {AIM_P99:.0} times)"
            ),
            columns: vec!["server", "log-ins/s", "bare hashes/s", "of hashes", "p99 ms", "during log-ins", "times"],
            rows: self.engines.iter().map(cells).collect(),
        }
    }
}
