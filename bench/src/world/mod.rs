//! People with browsers, who ask the service as people do: with the cookies that they were given, in several tabs, through
//! a balancer. The soak and the simulation share them.

pub mod actions;
pub mod balancer;
pub mod browser;
pub mod dice;
pub mod ledger;
pub mod population;
pub mod records;
pub mod teams;

use balancer::Balancer;
use ledger::Ledger;
use population::Population;
use records::Records;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, MutexGuard, PoisonError};
use teams::Teams;

/// Everything that the actions share.
pub struct World {
    /// The way to the service's processes.
    pub balancer: Balancer,
    /// Who there is.
    pub population: Population,
    /// Their organizations.
    pub teams: Teams,
    /// Which events there must be.
    pub ledger: Ledger,
    /// What came of it.
    pub records: Records,
    /// Makes names that nobody had before; the seed is part of them.
    pub names: Names,
}

/// Names that nobody had before.
pub struct Names {
    seed: u64,
    next: AtomicU64,
}

impl Names {
    /// Those of a run.
    pub fn new(seed: u64) -> Self {
        Self { seed, next: AtomicU64::new(0) }
    }

    /// Another one.
    pub fn next(&self, what: &str) -> String {
        let number = self.next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        format!("{what}-{}-{number}", self.seed)
    }
}

/// A lock whose holder cannot leave anything half-way.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
