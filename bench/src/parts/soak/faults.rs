//! Injects the scheduled faults: restarts the database, kills a process with SIGKILL and starts another one.

use super::memory::MemoryMonitor;
use super::schedule::{KILL_AT, KILL_DOWNTIME, RESTART_AT, RESTART_DOWNTIME, Window};
use crate::instance::{Instance, Service};
use crate::outcome::{Outcome, progress};
use crate::postgres::Cluster;
use crate::world::World;
use std::time::Duration;
use tokio::time::sleep;

/// After the database is available again, requests that waited for it have ended by then.
const RESTART_RECOVERY: Duration = Duration::from_secs(6);
/// After a process is ready, all is as before by then.
const KILL_RECOVERY: Duration = Duration::from_secs(1);

pub struct Faults<'a> {
    pub instance: &'a Instance,
    pub cluster: Option<&'a mut Cluster>,
    pub services: &'a mut [Service],
    pub monitor: &'a MemoryMonitor,
}

impl Faults<'_> {
    /// Injects all faults of a run of this length, and returns their windows.
    pub async fn inject(mut self, world: &World, length: Duration) -> Outcome<Vec<Window>> {
        let mut windows = Vec::new();
        if let Some(cluster) = self.cluster.take() {
            wait_until(world, length.mul_f64(RESTART_AT)).await;
            let began = world.records.elapsed();
            progress("PostgreSQL is restarted");
            cluster.restart(RESTART_DOWNTIME).await?;
            progress("PostgreSQL is there again");
            windows.push(window("PostgreSQL restarted", began, world, RESTART_RECOVERY));
        }
        wait_until(world, length.mul_f64(KILL_AT)).await;
        let began = world.records.elapsed();
        let last = self.services.len() - 1;
        let address = self.services[last].address;
        progress("a process is killed");
        self.services[last].process.child().kill()?;
        self.monitor.process_ended(last);
        sleep(KILL_DOWNTIME).await;
        self.services[last] = self.instance.start_at(address).await?;
        self.monitor.process_started(last, self.services[last].process.id());
        progress("another process has taken its place");
        windows.push(window("process killed", began, world, KILL_RECOVERY));
        Ok(windows)
    }
}

fn window(what: &'static str, began: Duration, world: &World, after: Duration) -> Window {
    Window { what, began, ended: world.records.elapsed() + after }
}

async fn wait_until(world: &World, at: Duration) {
    sleep(at.saturating_sub(world.records.elapsed())).await;
}
