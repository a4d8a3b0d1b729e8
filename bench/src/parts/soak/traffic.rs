//! The traffic: first a closed loop, which measures the capacity; then an open loop at a fixed rate, whether or not the
//! service keeps up.

use crate::outcome::Outcome;
use crate::stats::count;
use crate::world::World;
use crate::world::records::Operation;
use crate::world::rng::Rng;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval};

/// Weights of the actions, in total 1000.
const MIX: [(Operation, usize); 8] = [
    (Operation::User, 806),
    (Operation::Refresh, 80),
    (Operation::Page, 40),
    (Operation::LogIn, 14),
    (Operation::LogOut, 12),
    (Operation::SignUp, 8),
    (Operation::Team, 34),
    (Operation::Refused, 6),
];
/// Concurrent actions while the capacity is measured.
const CLOSED_LOOP_CLIENTS: usize = 16;
const WARM_UP: Duration = Duration::from_secs(3);
const TICK_INTERVAL: Duration = Duration::from_millis(2);
/// The limit of actions in flight; the open loop skips further ones.
const MAX_IN_FLIGHT: usize = 5000;

/// Actions per second that the service can take, from a closed loop.
pub async fn capacity(world: &Arc<World>, seed: u64, time: Duration) -> Outcome<f64> {
    let begin = Instant::now() + WARM_UP;
    let end = begin + time;
    let mut tasks = JoinSet::new();
    for place in 0..CLOSED_LOOP_CLIENTS {
        let world = world.clone();
        let mut rng = Rng::new(seed ^ (u64::try_from(place)? + 1) << 32);
        tasks.spawn(async move {
            let mut done = 0;
            while Instant::now() < end {
                let operation = rng.weighted(&MIX).unwrap_or(Operation::User);
                // Contains a wait of a second, which would distort the capacity.
                if operation != Operation::LogOut {
                    world.act(operation, rng.number()).await;
                    done += usize::from(Instant::now() >= begin);
                }
            }
            done
        });
    }
    let mut done = 0;
    while let Some(ended) = tasks.join_next().await {
        done += ended?;
    }
    Ok(count(done) / time.as_secs_f64())
}

pub struct OpenLoop {
    pub started: usize,
    /// Times of skipped actions, when too many were in flight.
    pub skipped: Vec<Duration>,
}

/// Starts `per_second` actions each second, and waits until all have ended.
pub async fn open_loop(
    world: &Arc<World>,
    seed: u64,
    per_second: f64,
    length: Duration,
    in_flight: &Arc<AtomicUsize>,
) -> Outcome<OpenLoop> {
    let mut rng = Rng::new(seed);
    let mut open = OpenLoop { started: 0, skipped: Vec::new() };
    let mut ticks = interval(TICK_INTERVAL);
    let mut tasks = JoinSet::new();
    let began = Instant::now();
    while began.elapsed() < length {
        ticks.tick().await;
        while tasks.try_join_next().is_some() {}
        let due = began.elapsed().as_secs_f64() * per_second;
        while count(open.started + open.skipped.len()) < due {
            let operation = rng.weighted(&MIX).unwrap_or(Operation::User);
            let seed = rng.number();
            if in_flight.load(Ordering::Relaxed) >= MAX_IN_FLIGHT {
                open.skipped.push(began.elapsed());
                continue;
            }
            open.started += 1;
            let (world, in_flight) = (world.clone(), in_flight.clone());
            in_flight.fetch_add(1, Ordering::Relaxed);
            tasks.spawn(async move {
                world.act(operation, seed).await;
                in_flight.fetch_sub(1, Ordering::Relaxed);
            });
        }
    }
    while let Some(ended) = tasks.join_next().await {
        ended?;
    }
    Ok(open)
}
