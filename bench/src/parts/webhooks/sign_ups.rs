//! The cost of webhooks for the action that causes them: signups per second with webhooks on against off.

use super::settings::{send_nothing, send_to};
use crate::Args;
use crate::aims;
use crate::check::Check;
use crate::instance::{Engine, Instance};
use crate::load::{connect, exchange};
use crate::outcome::{Outcome, progress};
use crate::process::cpu_seconds;
use crate::requests::sign_up;
use crate::rig::Rig;
use crate::sink::Sink;
use crate::stats::{count, median};
use crate::table::Table;
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::client::conn::http1::SendRequest;
use serde::Serialize;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

const CONNECTIONS: usize = 8;
const WARM_UP: Duration = Duration::from_millis(300);

#[derive(Serialize)]
pub struct SignUps {
    engines: Vec<EngineStats>,
}

#[derive(Serialize)]
struct EngineStats {
    engine: Engine,
    on_per_second: f64,
    off_per_second: f64,
    on_of_off: f64,
    /// The service's own processor time.
    cpu_us_on: f64,
    cpu_us_off: f64,
    /// Ratio of off to on, median of the rounds: the expected ratio of rates on a machine without other load.
    cpu_off_of_on: f64,
}

#[derive(Clone, Copy, Default)]
struct Measured {
    per_second: f64,
    cpu_us: f64,
}

/// Measures every engine, alternating between webhooks on and off.
pub async fn measure(rig: &Rig, args: &Args) -> Outcome<SignUps> {
    let sink = Sink::start(Duration::ZERO)?;
    let mut engines = Vec::new();
    for mut instance in rig.empty_instances("signups").await? {
        let people = People::default();
        let mut rounds = Vec::new();
        for round in 0..args.rounds() {
            let (mut on, mut off) = (Measured::default(), Measured::default());
            // Alternates which of a pair comes first.
            for is_on in [round % 2 == 0, round % 2 == 1] {
                if is_on {
                    send_to(&mut instance, sink.url());
                    on = run(&instance, &people, args.duration()).await?;
                } else {
                    send_nothing(&mut instance);
                    off = run(&instance, &people, args.duration()).await?;
                }
            }
            progress(&format!(
                "webhooks: {}: {:.1} signups/s on, {:.1}/s off; {:.0} CPU µs on, {:.0} off",
                instance.engine.name(),
                on.per_second,
                off.per_second,
                on.cpu_us,
                off.cpu_us
            ));
            rounds.push((on, off));
        }
        let middle = |of: fn(&(Measured, Measured)) -> f64| median(rounds.iter().map(of));
        engines.push(EngineStats {
            engine: instance.engine,
            on_per_second: middle(|(on, _)| on.per_second),
            off_per_second: middle(|(_, off)| off.per_second),
            on_of_off: middle(|(on, off)| on.per_second / off.per_second),
            cpu_us_on: middle(|(on, _)| on.cpu_us),
            cpu_us_off: middle(|(_, off)| off.cpu_us),
            cpu_off_of_on: middle(|(on, off)| off.cpu_us / on.cpu_us),
        });
    }
    Ok(SignUps { engines })
}

/// Signups in a closed loop over several connections.
async fn run(instance: &Instance, people: &People, duration: Duration) -> Outcome<Measured> {
    let service = instance.start().await?;
    let begin = Instant::now() + WARM_UP;
    let end = begin + duration;
    let mut tasks = JoinSet::new();
    for _ in 0..CONNECTIONS {
        tasks.spawn(drive(service.address, people.clone(), begin, end));
    }
    sleep_until(begin).await;
    let cpu_before = cpu_seconds(service.process.id())?;
    sleep_until(end).await;
    let cpu = cpu_seconds(service.process.id())? - cpu_before;
    let mut done = 0;
    while let Some(ended) = tasks.join_next().await {
        done += ended??;
    }
    Ok(Measured { per_second: count(done) / duration.as_secs_f64(), cpu_us: cpu * 1e6 / count(done) })
}

async fn drive(address: SocketAddr, people: People, begin: Instant, end: Instant) -> Outcome<usize> {
    let mut connection = connect(address).await?;
    let mut done = 0;
    loop {
        people.sign_up(&mut connection).await?;
        let answered = Instant::now();
        if answered > end {
            return Ok(done);
        }
        done += usize::from(answered >= begin);
    }
}

#[derive(Clone, Default)]
struct People(Arc<AtomicUsize>);

impl People {
    async fn sign_up(&self, connection: &mut SendRequest<Full<Bytes>>) -> Outcome<()> {
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        let (status, _, body) = exchange(connection, sign_up(number)?).await?;
        if status != 303 {
            return Err(format!("a signup answered {status}: {}", String::from_utf8_lossy(&body)).into());
        }
        Ok(())
    }
}

impl SignUps {
    /// Signups with webhooks on, of those with them off.
    pub fn checks(&self) -> impl Iterator<Item = Check> {
        self.engines.iter().map(|stats| aims::SIGNUPS.check(stats.engine, stats.on_of_off))
    }

    pub fn table(&self) -> Table {
        let cells = |stats: &EngineStats| {
            vec![
                format!("doorward, {}", stats.engine.name()),
                format!("{:.1}", stats.on_per_second),
                format!("{:.1}", stats.off_per_second),
                format!("{:.2}", stats.on_of_off),
                format!("{:.0}", stats.cpu_us_on),
                format!("{:.0}", stats.cpu_us_off),
                format!("{:.2}", stats.cpu_off_of_on),
            ]
        };
        let aim = aims::SIGNUPS.cell();
        Table {
            title: format!("Signups with webhooks on against off, three events each (aim: at least {aim})"),
            columns: vec![
                "server",
                "signups/s on",
                "signups/s off",
                "on/off",
                "CPU µs/signup on",
                "CPU µs/signup off",
                "CPU off/on",
            ],
            rows: self.engines.iter().map(cells).collect(),
        }
    }

    #[cfg(test)]
    pub fn sample() -> Self {
        let stats = |engine| EngineStats {
            engine,
            on_per_second: 1.0,
            off_per_second: 1.0,
            on_of_off: 1.0,
            cpu_us_on: 1.0,
            cpu_us_off: 1.0,
            cpu_off_of_on: 1.0,
        };
        Self { engines: Engine::ALL.map(stats).into() }
    }
}
