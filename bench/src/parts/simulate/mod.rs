//! A day of many users, scaled down in time and number: a sample of the active users runs a day within minutes against
//! the real binary on a filled database. Its resource usage is reported per user, and extrapolated.

mod day;
mod report;
mod usage;

use crate::Args;
use crate::instance::{Engine, Instance};
use crate::outcome::{Outcome, progress};
use crate::parts::soak::receiver::{Receiver, SECRET};
use crate::people::Person as Seeded;
use crate::rig::Rig;
use crate::stats::{count, millis, percentile};
use crate::world::actions::seeded;
use crate::world::balancer::Balancer;
use crate::world::ledger::Ledger;
use crate::world::population::{Person, Population};
use crate::world::records::{Operation, Records};
use crate::world::rng::Rng;
use crate::world::teams::Teams;
use crate::world::{Names, World};
use day::{ASSUMED, Assumed, DAY, Planned, plan};
use secrecy::ExposeSecret;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep};

const DEFAULT_MINUTES: u32 = 4;
/// Users in the database.
const DEFAULT_USERS: usize = 100_000;
/// The active users who are simulated; limited by what fits into the minutes.
const MAX_SIMULATED: usize = 1000;
const HOUR: Duration = Duration::from_hours(1);
const TICK_INTERVAL: Duration = Duration::from_millis(2);
/// The last deliveries are recorded by then.
const SETTLE_TIME: Duration = Duration::from_secs(3);

/// Each engine's figures.
#[derive(Serialize)]
pub struct Simulation {
    assumed: Assumed,
    users: usize,
    played: usize,
    minutes: u32,
    seed: u64,
    engines: Vec<EngineStats>,
}

/// The resource usage of the simulated users in a day.
#[derive(Serialize)]
struct EngineStats {
    engine: &'static str,
    requests: usize,
    refreshes: usize,
    went_wrong: Vec<String>,
    /// Requests in the busiest hour.
    peak_hour: usize,
    user_p50_ms: f64,
    user_p99_ms: f64,
    bytes_per_user: f64,
    growth_bytes: f64,
    written_bytes: f64,
    service_cpu: f64,
    database_cpu: f64,
    service_mb: f64,
    database_mb: Option<f64>,
}

/// Simulates the day on every engine, or on the selected one.
pub async fn measure(rig: &Rig, args: &Args) -> Outcome<Simulation> {
    let minutes = args.minutes.map_or(DEFAULT_MINUTES, std::num::NonZero::get);
    let users = args.users.map_or(DEFAULT_USERS, std::num::NonZero::get);
    let seed = args.seed.unwrap_or(1);
    let played = MAX_SIMULATED.min(users);
    let mut engines = Vec::new();
    for engine in rig.engines().filter(|engine| args.engine.is_none_or(|wanted| wanted == *engine)) {
        let mut instance = rig.filled_database(engine, u64::try_from(users)?).await?;
        let server = rig.cluster.as_ref().filter(|_| engine == Engine::Postgres).map(crate::postgres::Cluster::process);
        progress(&format!("simulate: {}, a day of {played} in {minutes} minutes", engine.name()));
        let day = Day { plan: plan(played, seed), length: Duration::from_mins(minutes.into()), users, played, seed };
        engines.push(day.simulate(&mut instance, server).await?);
    }
    if engines.is_empty() {
        return Err("PostgreSQL is not installed".into());
    }
    Ok(Simulation { assumed: ASSUMED, users, played, minutes, seed, engines })
}

struct Day {
    plan: Vec<Planned>,
    /// The real time of the simulated day.
    length: Duration,
    users: usize,
    played: usize,
    seed: u64,
}

impl Day {
    async fn simulate(&self, instance: &mut Instance, server: Option<u32>) -> Outcome<EngineStats> {
        let receiver = Receiver::start().await?;
        instance.set("SVC_WEBHOOK_URL", receiver.url());
        instance.set("SVC_WEBHOOK_SECRET", SECRET);
        // Ten minutes pass within a second or two, and every refresh must rotate the token.
        instance.set("SVC_REFRESH_GRACE", "300ms");
        let people = self.people(instance).await?;
        let service = instance.start().await?;
        let world = world(Balancer::new([service.address]), &people, self.seed);
        let before = usage::measure(instance, service.process.id(), server).await?;
        self.run_plan(&world, &people).await?;
        sleep(SETTLE_TIME).await;
        let (service_mb, database_mb) = usage::memory(service.process.id(), server)?;
        let after = usage::measure(instance, service.process.id(), server).await?;
        let answers = world.records.answers();
        let mut took: Vec<Duration> =
            answers.iter().filter(|answer| answer.operation == Operation::User).map(|answer| answer.time).collect();
        took.sort_unstable();
        Ok(EngineStats {
            engine: instance.engine.name(),
            requests: answers.len(),
            refreshes: answers.iter().filter(|answer| answer.operation == Operation::Refresh).count(),
            went_wrong: crate::world::records::summarize(world.records.failures().iter()),
            peak_hour: self.peak_hour(),
            user_p50_ms: millis(percentile(&took, 50)),
            user_p99_ms: millis(percentile(&took, 99)),
            bytes_per_user: before.database_bytes / count(self.users),
            growth_bytes: after.database_bytes - before.database_bytes,
            written_bytes: after.written_bytes - before.written_bytes,
            service_cpu: after.service_cpu - before.service_cpu,
            database_cpu: after.database_cpu - before.database_cpu,
            service_mb,
            database_mb,
        })
    }

    /// The simulated users, spread over all users.
    async fn people(&self, instance: &Instance) -> Outcome<Vec<Arc<Person>>> {
        let app = instance.app().await?;
        let spread = self.users / self.played;
        let numbers = (0..self.played).map(|number| u64::try_from(number * spread).unwrap_or_default());
        let people = numbers
            .map(Seeded)
            .map(|person| seeded(person.email(), person.refresh_token(&app.secret_keys).expose_secret().to_owned()));
        let people = people.collect();
        app.store.close().await;
        Ok(people)
    }

    /// Runs the plan.
    async fn run_plan(&self, world: &Arc<World>, people: &[Arc<Person>]) -> Outcome<()> {
        let speed = DAY.as_secs_f64() / self.length.as_secs_f64();
        let mut rng = Rng::new(self.seed);
        let mut ticks = interval(TICK_INTERVAL);
        let mut tasks = JoinSet::new();
        let mut plan = self.plan.iter().peekable();
        let mut last_reported = 0;
        let began = Instant::now();
        while plan.peek().is_some() {
            ticks.tick().await;
            while tasks.try_join_next().is_some() {}
            let now = began.elapsed().mul_f64(speed);
            while let Some(planned) = plan.next_if(|planned| planned.at <= now) {
                let (world, person) = (world.clone(), people[planned.who].clone());
                tasks.spawn(perform(world, person, planned.operation, rng.number()));
            }
            let hour = now.as_secs() / HOUR.as_secs();
            if hour >= last_reported + 3 {
                last_reported = hour;
                let (done, failure) = (world.records.answers().len(), world.records.failure_count());
                progress(&format!("{hour:02}:00, {done} answers, {failure} went wrong"));
            }
        }
        while let Some(ended) = tasks.join_next().await {
            ended?;
        }
        Ok(())
    }

    fn peak_hour(&self) -> usize {
        let mut hours = [0_usize; 24];
        for planned in &self.plan {
            if let Some(hour) =
                usize::try_from(planned.at.as_secs() / HOUR.as_secs()).ok().and_then(|hour| hours.get_mut(hour))
            {
                *hour += 1;
            }
        }
        hours.into_iter().max().unwrap_or_default()
    }
}

fn world(balancer: Balancer, people: &[Arc<Person>], seed: u64) -> Arc<World> {
    let population = Population::default();
    for person in people {
        population.add(person.clone());
    }
    let (teams, ledger) = (Teams::default(), Ledger::default());
    Arc::new(World { balancer, population, teams, ledger, records: Records::new(), names: Names::new(seed) })
}

/// Performs an action. A login is exclusive, as it replaces the session; a refresh too, as the grace period for
/// parallel refreshes is too short here for a busy machine.
async fn perform(world: Arc<World>, person: Arc<Person>, operation: Operation, seed: u64) {
    match operation {
        Operation::LogIn => {
            let _exclusive = person.session_lock.write().await;
            world.finish(operation, world.log_in(&person).await.map(drop));
        }
        Operation::Refresh => {
            let _exclusive = person.session_lock.write().await;
            world.finish(operation, world.refresh(&person).await.map(drop));
        }
        Operation::SignUp | Operation::Team => world.act(operation, seed).await,
        Operation::Page => {
            let _shared = person.session_lock.read().await;
            world.finish(operation, world.page(&person).await);
        }
        Operation::User | Operation::LogOut | Operation::Refused => {
            let _shared = person.session_lock.read().await;
            world.finish(operation, world.user(&person).await);
        }
    }
}
