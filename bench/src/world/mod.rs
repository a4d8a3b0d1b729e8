//! Simulated people with browsers: they keep cookies, use several tabs, and reach the service through a balancer.

pub mod actions;
pub mod balancer;
pub mod browser;
pub mod ledger;
pub mod population;
pub mod records;
pub mod rng;
mod team_steps;
pub mod teams;

use balancer::Balancer;
use ledger::Ledger;
use population::Population;
use records::Records;
use std::sync::atomic::AtomicU64;
use teams::Teams;

pub struct World {
    /// The balancer in front of the service's processes.
    pub balancer: Balancer,
    pub population: Population,
    pub teams: Teams,
    pub ledger: Ledger,
    pub records: Records,
    /// Generates unique names, which contain the seed.
    pub names: Names,
}

pub struct Names {
    seed: u64,
    next: AtomicU64,
}

impl Names {
    pub fn new(seed: u64) -> Self {
        Self { seed, next: AtomicU64::new(0) }
    }

    pub fn next(&self, what: &str) -> String {
        let number = self.next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        format!("{what}-{}-{number}", self.seed)
    }
}
