//! A soak test: minutes of traffic at a share of the capacity, while the webhook receiver flaps, the database is
//! restarted and a process is killed. The promises are checked at the end.

mod faults;
mod memory;
mod promises;
pub mod receiver;
mod report;
mod run;
mod schedule;
mod traffic;

use crate::Args;
use crate::instance::{Engine, Instance, Service};
use crate::outcome::{Outcome, progress};
use crate::rig::Rig;
use crate::seed;
use crate::world::actions::seeded;
use crate::world::ledger::Ledger;
use crate::world::population::Population;
use crate::world::records::Records;
use crate::world::teams::Teams;
use crate::world::{Names, World};
use faults::Faults;
use memory::MemoryMonitor;
use receiver::{Receiver, SECRET};
pub use report::Soak;
use run::{OutboxCounts, Run};
use sqlx::{Connection, PgConnection, SqliteConnection};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::{Instant, interval, sleep};

const DEFAULT_MINUTES: u32 = 10;
/// People who are logged in at the beginning.
const PEOPLE: usize = 2000;
/// The load, as a share of the capacity.
const LOAD_SHARE: f64 = 0.7;
const CALIBRATION_TIME: Duration = Duration::from_secs(12);
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);
/// All events must arrive within this time after the last action.
const DELIVERY_TIMEOUT: Duration = Duration::from_mins(2);
/// After all events have arrived, nothing more may arrive during this time.
const QUIET_INTERVAL: Duration = Duration::from_secs(3);

/// Overrides of the defaults, so that minutes cover what usually takes hours.
const SETTINGS: [(&str, &str); 7] = [
    ("SVC_ACCESS_TTL", "1m"),
    ("SVC_REFRESH_GRACE", "30s"),
    ("SVC_WEBHOOK_TIMEOUT", "3s"),
    ("SVC_WEBHOOK_RETRY_DELAYS", "1s,2s,4s"),
    ("SVC_WEBHOOK_MAX_DELIVERY_ATTEMPTS", "20"),
    ("SVC_WEBHOOK_PROCESSING_STALE_AFTER", "15s"),
    ("SVC_WEBHOOK_STALE_REAPER_INTERVAL", "5s"),
];

/// Soaks the selected engine; by default PostgreSQL if it is installed.
pub async fn measure(rig: &mut Rig, args: &Args) -> Outcome<Soak> {
    let engine = match args.engine {
        Some(engine) => engine,
        None if rig.cluster.is_some() => Engine::Postgres,
        None => Engine::Sqlite,
    };
    let length = Duration::from_mins(1) * args.minutes.map_or(DEFAULT_MINUTES, std::num::NonZero::get);
    let seed = match args.seed {
        Some(seed) => seed,
        None => crate::people::any_below(1_000_000)?,
    };
    let instances = rig.empty_instances("soak").await?;
    let instance = instances.into_iter().find(|instance| instance.engine == engine);
    let mut instance = instance.ok_or("PostgreSQL is not installed")?;
    let receiver = Receiver::start().await?;
    instance.set("SVC_WEBHOOK_URL", receiver.url());
    instance.set("SVC_WEBHOOK_SECRET", SECRET);
    for (name, value) in SETTINGS {
        instance.set(name, value);
    }
    progress(&format!("soak: {}, seed {seed}, {} s", engine.name(), length.as_secs()));
    seed::fill(&mut instance, PEOPLE).await?;
    let mut services = vec![instance.start().await?];
    if engine == Engine::Postgres {
        services.push(instance.start().await?);
    }
    let world = world(&instance, &services, seed);
    let monitor = MemoryMonitor::new(services.iter().map(|service| service.process.id()));
    let capacity = traffic::capacity(&world, seed, CALIBRATION_TIME).await?;
    let rate = capacity * LOAD_SHARE;
    progress(&format!("soak: {capacity:.0} actions/s are possible; {rate:.0}/s from now on"));

    world.records.begin();
    let in_flight = Arc::new(AtomicUsize::new(0));
    let cluster = if engine == Engine::Postgres { rig.cluster.as_mut() } else { None };
    let faults = Faults { instance: &instance, cluster, services: &mut services, monitor: &monitor };
    let mode_changes = flap(&receiver, schedule::modes(length, seed));
    let progress_reports = report_progress(&world, &receiver, &monitor, &in_flight);
    let (open, windows) = tokio::select! {
        done = async {
            tokio::try_join!(
                traffic::open_loop(&world, seed, rate, length, &in_flight),
                faults.inject(&world, length),
            )
        } => done?,
        () = async { tokio::join!(mode_changes, progress_reports); } => {
            return Err("the soak ended before its time".into());
        }
    };
    receiver.set_mode(schedule::Mode::Healthy);
    let outbox = wait_for_deliveries(&world, &receiver, &instance).await?;
    let run = Run { engine, seed, length, capacity, rate, open, windows, outbox };
    Ok(Soak::of(run, &world, &receiver.inbox.lock(), monitor.used(length, &world.records.answers())))
}

fn world(instance: &Instance, services: &[Service], seed: u64) -> Arc<World> {
    let world = World {
        balancer: crate::world::balancer::Balancer::new(services.iter().map(|service| service.address)),
        population: Population::default(),
        teams: Teams::default(),
        ledger: Ledger::default(),
        records: Records::new(),
        names: Names::new(seed),
    };
    for (number, tokens) in instance.tokens.iter().enumerate() {
        world.population.add(seeded(seed::email(number), tokens.refresh.clone()));
    }
    Arc::new(world)
}

/// Switches the modes of the receiver; never ends.
async fn flap(receiver: &Receiver, modes: Vec<(Duration, schedule::Mode)>) {
    let began = Instant::now();
    for (at, mode) in modes {
        sleep(at.saturating_sub(began.elapsed())).await;
        receiver.set_mode(mode);
    }
    std::future::pending::<()>().await;
}

/// Samples memory, and prints progress; never ends.
async fn report_progress(world: &World, receiver: &Receiver, monitor: &MemoryMonitor, in_flight: &AtomicUsize) {
    let mut seconds = interval(Duration::from_secs(1));
    let mut last_progress = Duration::ZERO;
    let mut before = 0;
    loop {
        seconds.tick().await;
        let at = world.records.elapsed();
        let memory = monitor.sample(at);
        if at < last_progress + PROGRESS_INTERVAL {
            continue;
        }
        let done = world.records.finished_actions();
        let memory: Vec<String> = memory.iter().map(|megabytes| format!("{megabytes:.0} MB")).collect();
        progress(&format!(
            "{:>4} s: {:.0} actions/s, {} under way, {} went wrong; events {} of {}, receiver {:?}; {}",
            at.as_secs(),
            crate::stats::count(done.saturating_sub(before)) / at.saturating_sub(last_progress).as_secs_f64(),
            in_flight.load(Ordering::Relaxed),
            world.records.failure_count(),
            receiver.accepted(),
            world.ledger.required(),
            receiver.mode(),
            memory.join(", "),
        ));
        (last_progress, before) = (at, done);
    }
}

async fn wait_for_deliveries(world: &World, receiver: &Receiver, instance: &Instance) -> Outcome<OutboxCounts> {
    progress("the last events arrive");
    let end = Instant::now() + DELIVERY_TIMEOUT;
    let mut outbox = count_outbox(instance).await?;
    while Instant::now() < end && (outbox.waiting > 0 || receiver.accepted() < world.ledger.required()) {
        sleep(Duration::from_millis(500)).await;
        outbox = count_outbox(instance).await?;
    }
    sleep(QUIET_INTERVAL).await;
    count_outbox(instance).await
}

async fn count_outbox(instance: &Instance) -> Outcome<OutboxCounts> {
    const COUNT: &str = "SELECT CAST(COALESCE(SUM(CASE WHEN state IN ('pending', 'processing') THEN 1 ELSE 0 END), 0) AS BIGINT), \
         CAST(COALESCE(SUM(CASE WHEN state = 'failed' THEN 1 ELSE 0 END), 0) AS BIGINT) \
         FROM outbox WHERE channel = 'webhook'";
    let (waiting, failed) = if let Some(url) = instance.url() {
        sqlx::query_as(COUNT).fetch_one(&mut PgConnection::connect(url).await?).await?
    } else {
        sqlx::query_as(COUNT).fetch_one(&mut SqliteConnection::connect(&instance.database_url()).await?).await?
    };
    Ok(OutboxCounts { waiting, failed })
}
