//! A soak: people at work for minutes, at a share of what the service can take, while its receiver of webhooks flaps,
//! its database is restarted and one of its processes is killed. What was promised is checked at the end.

mod faults;
mod memory;
mod outlook;
pub mod receiver;
mod report;
mod traffic;
mod verdict;

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
use crate::world::{Names, World, lock};
use faults::Faults;
use memory::Gauge;
use outlook::Window;
use receiver::{Receiver, SECRET};
pub use report::Soak;
use sqlx::{Connection, PgConnection, SqliteConnection};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::{Instant, interval, sleep};

const MINUTES: u32 = 10;
/// People who are logged in at the beginning.
const PEOPLE: usize = 2000;
/// Of the capacity.
const SHARE: f64 = 0.7;
const CALIBRATION: Duration = Duration::from_secs(12);
const PROGRESS: Duration = Duration::from_secs(10);
/// After the last action, all events have arrived by then.
const LAST_EVENT: Duration = Duration::from_mins(2);
/// Nothing arrives after all has arrived; looked at for so long.
const QUIET: Duration = Duration::from_secs(3);

/// Beside the service's own defaults: a run of minutes must see what usually takes hours.
const SETTINGS: [(&str, &str); 7] = [
    ("SVC_ACCESS_TTL", "1m"),
    ("SVC_REFRESH_GRACE", "30s"),
    ("SVC_WEBHOOK_TIMEOUT", "3s"),
    ("SVC_WEBHOOK_RETRY_DELAYS", "1s,2s,4s"),
    ("SVC_WEBHOOK_MAX_DELIVERY_ATTEMPTS", "20"),
    ("SVC_WEBHOOK_PROCESSING_STALE_AFTER", "15s"),
    ("SVC_WEBHOOK_STALE_REAPER_INTERVAL", "5s"),
];

/// Soaks the engine that was asked for, PostgreSQL if it is there and none was.
pub async fn measure(rig: &mut Rig, args: &Args) -> Outcome<Soak> {
    let engine = match args.engine {
        Some(engine) => engine,
        None if rig.cluster.is_some() => Engine::Postgres,
        None => Engine::Sqlite,
    };
    let length = Duration::from_mins(1) * args.minutes.map_or(MINUTES, std::num::NonZero::get);
    let seed = match args.seed {
        Some(seed) => seed,
        None => crate::mass::any_below(1_000_000)?,
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
    let gauge = Gauge::new(services.iter().map(|service| service.process.id()));
    let capacity = traffic::capacity(&world, seed, CALIBRATION).await?;
    let rate = capacity * SHARE;
    progress(&format!("soak: {capacity:.0} actions/s are possible; {rate:.0}/s from now on"));

    world.records.begin();
    let under_way = Arc::new(AtomicUsize::new(0));
    let cluster = if engine == Engine::Postgres { rig.cluster.as_mut() } else { None };
    let faults = Faults { instance: &instance, cluster, services: &mut services, gauge: &gauge };
    let flapping = flap(&receiver, outlook::moods(length, seed));
    let watching = watch(&world, &receiver, &gauge, &under_way);
    let (open, windows) = tokio::select! {
        done = async {
            tokio::try_join!(
                traffic::open_loop(&world, seed, rate, length, &under_way),
                faults.make(&world, length),
            )
        } => done?,
        () = async { tokio::join!(flapping, watching); } => return Err("the soak ended before its time".into()),
    };
    receiver.be(outlook::Mood::Well);
    let outbox = arrive(&world, &receiver, &instance).await?;
    let run = Run { engine, seed, length, capacity, rate, open, windows, outbox };
    Ok(Soak::of(run, &world, &lock(&receiver.inbox), gauge.used(length, &world.records.answers())))
}

/// What a run was.
struct Run {
    engine: Engine,
    seed: u64,
    length: Duration,
    capacity: f64,
    rate: f64,
    open: traffic::Open,
    windows: Vec<Window>,
    outbox: Outbox,
}

/// The service's own count of deliveries that did not end with success.
#[derive(Clone, Copy, Default)]
struct Outbox {
    waiting: i64,
    failed: i64,
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

/// Puts the receiver into its moods; never ends.
async fn flap(receiver: &Receiver, moods: Vec<(Duration, outlook::Mood)>) {
    let began = Instant::now();
    for (at, mood) in moods {
        sleep(at.saturating_sub(began.elapsed())).await;
        receiver.be(mood);
    }
    std::future::pending::<()>().await;
}

/// Measures memory, and says how it goes; never ends.
async fn watch(world: &World, receiver: &Receiver, gauge: &Gauge, under_way: &AtomicUsize) {
    let mut seconds = interval(Duration::from_secs(1));
    let mut said = Duration::ZERO;
    let mut before = 0;
    loop {
        seconds.tick().await;
        let at = world.records.elapsed();
        let memory = gauge.sample(at);
        if at < said + PROGRESS {
            continue;
        }
        let done = world.records.counted();
        let memory: Vec<String> = memory.iter().map(|megabytes| format!("{megabytes:.0} MB")).collect();
        progress(&format!(
            "{:>4} s: {:.0} actions/s, {} under way, {} went wrong; events {} of {}, receiver {:?}; {}",
            at.as_secs(),
            crate::stats::count(done.saturating_sub(before)) / at.saturating_sub(said).as_secs_f64(),
            under_way.load(Ordering::Relaxed),
            world.records.wrong_count(),
            receiver.taken(),
            world.ledger.certain(),
            receiver.mood(),
            memory.join(", "),
        ));
        (said, before) = (at, done);
    }
}

/// Waits until nothing is on its way any more.
async fn arrive(world: &World, receiver: &Receiver, instance: &Instance) -> Outcome<Outbox> {
    progress("the last events arrive");
    let end = Instant::now() + LAST_EVENT;
    let mut outbox = count_outbox(instance).await?;
    while Instant::now() < end && (outbox.waiting > 0 || receiver.taken() < world.ledger.certain()) {
        sleep(Duration::from_millis(500)).await;
        outbox = count_outbox(instance).await?;
    }
    sleep(QUIET).await;
    count_outbox(instance).await
}

async fn count_outbox(instance: &Instance) -> Outcome<Outbox> {
    const COUNT: &str = "SELECT CAST(COALESCE(SUM(CASE WHEN state IN ('pending', 'processing') THEN 1 ELSE 0 END), 0) AS BIGINT), \
         CAST(COALESCE(SUM(CASE WHEN state = 'failed' THEN 1 ELSE 0 END), 0) AS BIGINT) \
         FROM outbox WHERE channel = 'webhook'";
    let (waiting, failed) = if let Some(url) = instance.url() {
        sqlx::query_as(COUNT).fetch_one(&mut PgConnection::connect(url).await?).await?
    } else {
        sqlx::query_as(COUNT).fetch_one(&mut SqliteConnection::connect(&instance.database_url()).await?).await?
    };
    Ok(Outbox { waiting, failed })
}
