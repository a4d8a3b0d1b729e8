//! Logins against the bare hash, and their effect on concurrent requests.

use crate::Args;
use crate::aims;
use crate::askers::{Asker, GetRequest};
use crate::check::Check;
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

#[derive(Serialize)]
pub struct LogIn {
    engines: Vec<EngineStats>,
}

#[derive(Serialize)]
struct EngineStats {
    engine: Engine,
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
    Ok(LogIn { engines })
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
            engine,
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
    /// Logins of the bare hashes, and the 99th percentile of other requests during them.
    pub fn checks(&self) -> impl Iterator<Item = Check> {
        self.engines.iter().flat_map(|stats| {
            [
                aims::LOGINS.check(stats.engine, stats.of_hashes),
                aims::DURING_LOGINS.check(stats.engine, stats.p99_times),
            ]
        })
    }

    pub fn table(&self) -> Table {
        let cells = |stats: &EngineStats| {
            vec![
                format!("doorward, {}", stats.engine.name()),
                format!("{:.0}", stats.log_ins_per_second),
                format!("{:.0}", stats.hashes_per_second),
                format!("{:.2}", stats.of_hashes),
                format!("{:.2}", stats.user_p99_ms),
                format!("{:.2}", stats.user_p99_ms_during_log_ins),
                format!("{:.1}", stats.p99_times),
            ]
        };
        Table {
            title: format!(
                "Logins against the bare hash (aim: {}), and GET /user in an open loop at {LOAD_SHARE} of its capacity \
                 without and during them (aim: p99 at most {} times)",
                aims::LOGINS.cell(),
                aims::DURING_LOGINS.cell()
            ),
            columns: vec!["server", "logins/s", "bare hashes/s", "of hashes", "p99 ms", "during logins", "times"],
            rows: self.engines.iter().map(cells).collect(),
        }
    }

    #[cfg(test)]
    pub fn sample() -> Self {
        Self { engines: Engine::ALL.map(|engine| Rounds::default().figures(engine)).into() }
    }
}
