//! Who does what and when: first as fast as it goes, to learn the capacity; then at fixed times, whether or not the
//! service keeps up.

use crate::outcome::Outcome;
use crate::stats::count;
use crate::world::World;
use crate::world::dice::Dice;
use crate::world::records::Operation;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval};

/// Of each thousand actions, so many.
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
/// As many people act at the same time while the capacity is measured.
const CLOSED: usize = 16;
const WARM_UP: Duration = Duration::from_secs(3);
const TICK: Duration = Duration::from_millis(2);
/// So many actions wait at most for their answers; the open loop leaves out what would come on top.
const MOST_UNDER_WAY: usize = 5000;

/// Actions per second that the service can take, from a closed loop.
pub async fn capacity(world: &Arc<World>, seed: u64, time: Duration) -> Outcome<f64> {
    let begin = Instant::now() + WARM_UP;
    let end = begin + time;
    let mut tasks = JoinSet::new();
    for place in 0..CLOSED {
        let world = world.clone();
        let mut dice = Dice::new(seed ^ (u64::try_from(place)? + 1) << 32);
        tasks.spawn(async move {
            let mut done = 0;
            while Instant::now() < end {
                let operation = dice.weighted(&MIX).unwrap_or(Operation::User);
                // Waits for a second on purpose, which says nothing of the capacity.
                if operation != Operation::LogOut {
                    world.act(operation, dice.number()).await;
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

/// What the open loop did.
pub struct Open {
    /// Actions begun.
    pub begun: usize,
    /// When one was left out, as too many waited for their answers.
    pub left_out: Vec<Duration>,
}

/// Has so many actions begin each second, and waits until all have ended.
pub async fn open_loop(
    world: &Arc<World>,
    seed: u64,
    per_second: f64,
    length: Duration,
    under_way: &Arc<AtomicUsize>,
) -> Outcome<Open> {
    let mut dice = Dice::new(seed);
    let mut open = Open { begun: 0, left_out: Vec::new() };
    let mut ticks = interval(TICK);
    let mut tasks = JoinSet::new();
    let began = Instant::now();
    while began.elapsed() < length {
        ticks.tick().await;
        while tasks.try_join_next().is_some() {}
        let due = began.elapsed().as_secs_f64() * per_second;
        while count(open.begun + open.left_out.len()) < due {
            let operation = dice.weighted(&MIX).unwrap_or(Operation::User);
            let seed = dice.number();
            if under_way.load(Ordering::Relaxed) >= MOST_UNDER_WAY {
                open.left_out.push(began.elapsed());
                continue;
            }
            open.begun += 1;
            let (world, under_way) = (world.clone(), under_way.clone());
            under_way.fetch_add(1, Ordering::Relaxed);
            tasks.spawn(async move {
                world.act(operation, seed).await;
                under_way.fetch_sub(1, Ordering::Relaxed);
            });
        }
    }
    while let Some(ended) = tasks.join_next().await {
        ended?;
    }
    Ok(open)
}
