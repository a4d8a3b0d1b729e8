//! Does to the service what is foreseen: restarts its database, kills a process with SIGKILL and starts another one.

use super::memory::Gauge;
use super::outlook::{DEAD, DOWN, KILL, RESTART, Window};
use crate::instance::{Instance, Service};
use crate::outcome::{Outcome, progress};
use crate::postgres::Cluster;
use crate::world::World;
use std::time::Duration;
use tokio::time::sleep;

/// Requests that waited for the database are over by then, after it is there again.
const AFTER_RESTART: Duration = Duration::from_secs(6);
/// A process that is ready has no more to catch up with.
const AFTER_KILL: Duration = Duration::from_secs(1);

/// What is done to, and by whom.
pub struct Faults<'a> {
    /// How its processes are started.
    pub instance: &'a Instance,
    /// PostgreSQL, where that is the database.
    pub cluster: Option<&'a mut Cluster>,
    /// The running processes.
    pub services: &'a mut [Service],
    /// Who measures their memory.
    pub gauge: &'a Gauge,
}

impl Faults<'_> {
    /// Makes them all in a run of this length, and says when.
    pub async fn make(mut self, world: &World, length: Duration) -> Outcome<Vec<Window>> {
        let mut windows = Vec::new();
        if let Some(cluster) = self.cluster.take() {
            wait_until(world, length.mul_f64(RESTART)).await;
            let began = world.records.elapsed();
            progress("PostgreSQL is restarted");
            cluster.restart(DOWN).await?;
            progress("PostgreSQL is there again");
            windows.push(window("PostgreSQL restarted", began, world, AFTER_RESTART));
        }
        wait_until(world, length.mul_f64(KILL)).await;
        let began = world.records.elapsed();
        let last = self.services.len() - 1;
        let address = self.services[last].address;
        progress("a process is killed");
        self.services[last].process.child().kill()?;
        self.gauge.died(last);
        sleep(DEAD).await;
        self.services[last] = self.instance.start_at(address).await?;
        self.gauge.born(last, self.services[last].process.id());
        progress("another process has taken its place");
        windows.push(window("process killed", began, world, AFTER_KILL));
        Ok(windows)
    }
}

fn window(what: &'static str, began: Duration, world: &World, after: Duration) -> Window {
    Window { what, began, ended: world.records.elapsed() + after }
}

async fn wait_until(world: &World, at: Duration) {
    sleep(at.saturating_sub(world.records.elapsed())).await;
}
