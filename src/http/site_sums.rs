//! How much of something the sites hold, and all of them together.

use crate::model::network::site;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;

/// Sites that hold nothing have no entry.
#[derive(Debug, Default)]
pub struct SiteSums {
    all: usize,
    sites: HashMap<IpAddr, usize>,
}

#[derive(Clone, Copy, Debug)]
pub struct SiteBounds {
    pub all: usize,
    pub of_site: usize,
}

impl SiteSums {
    /// Takes for the site of an address; `false`, and nothing is taken, if that exceeds a bound.
    #[must_use]
    pub fn take(&mut self, address: IpAddr, amount: usize, bounds: SiteBounds) -> bool {
        let site = site(address);
        let of_site = self.sites.get(&site).copied().unwrap_or_default() + amount;
        if self.all + amount > bounds.all || of_site > bounds.of_site {
            return false;
        }
        if amount > 0 {
            self.all += amount;
            self.sites.insert(site, of_site);
        }
        true
    }

    #[cfg(test)]
    pub fn all(&self) -> usize {
        self.all
    }

    /// Gives back what was taken for the site of an address.
    pub fn give_back(&mut self, address: IpAddr, amount: usize) {
        self.all -= amount;
        if let Entry::Occupied(mut entry) = self.sites.entry(site(address)) {
            *entry.get_mut() -= amount;
            if *entry.get() == 0 {
                entry.remove();
            }
        }
    }
}

#[cfg(test)]
#[path = "site_sums_tests.rs"]
mod tests;
