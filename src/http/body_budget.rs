//! The memory of all request bodies that are under way.
//!
//! What counts is the bytes held, not the number of requests: many clients that send a small form slowly do not exhaust
//! the budget, and a few that send much do not take all memory. Only what holds connections without a byte is bounded by
//! their number.
//!
//! Every body takes from one budget. A request that shows no session and no API key takes only while its site holds
//! little: a browser sends one form at a time. What the budget refuses may take its first 4 KiB from a reserve, and
//! almost every form is smaller, so that a full budget refuses no login.
//!
//! What an attacker needs, with the least rate of `form/arrival.rs`: a body that stops is given up after three seconds. One
//! of 64 KiB that brings 47 kB at once and then 1 kB/s lasts 20 seconds, which is 0.06 kB/s for each KiB held: for the
//! budget 0.5 MB/s on 150 connections, from 32 sites, or from four with a session each. One of 4 KiB at 1 kB/s lasts
//! seven seconds and holds 3 KiB on average, which is 0.18 kB/s for each KiB: for the reserve, once the budget is full,
//! 3 MB/s on 5,300 connections from 16 sites; for one site's part of it 0.2 MB/s on 330 connections.

use super::site_sums::{SiteBounds, SiteSums};
use parking_lot::Mutex;
use std::net::IpAddr;
use std::sync::Arc;

/// All bodies under way together, with what the heads of their requests have beyond [`FREE_HEAD_BYTES`].
const BUDGET_BYTES: usize = 8 * 1024 * 1024;
/// Of which one site may hold this part, with requests that show a session or an API key.
const SITE_BYTES: usize = BUDGET_BYTES / 4;
/// What a site may hold before its requests have to show one.
const STRANGER_BYTES: usize = 256 * 1024;
/// What a request may take of the reserve.
const SMALL_BYTES: usize = 4 * 1024;
/// The reserve. One site's part is large enough that one person behind a shared address cannot easily lock out the others
/// there.
const RESERVE: SiteBounds = SiteBounds { all: 16 * 1024 * 1024, of_site: 1024 * 1024 };
/// Bodies under way, whose first byte may never come: behind a trusted proxy that does not wait for them, each holds a
/// connection.
const BODIES: SiteBounds = SiteBounds { all: 16 * 1024, of_site: 1024 };
/// Not counted of a head: every connection has a buffer for it, whatever it sends.
const FREE_HEAD_BYTES: usize = 4 * 1024;

#[derive(Clone)]
pub struct BodyBudget(Arc<BudgetState>);

struct BudgetState {
    limits_sites: bool,
    held: Mutex<HeldBytes>,
}

#[derive(Default)]
struct HeldBytes {
    budget: SiteSums,
    reserve: SiteSums,
    bodies: SiteSums,
}

/// The budget, or one site's part of it, is used up, and the reserve is, too, or does not serve so large a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetExceeded;

impl BodyBudget {
    /// `limits_sites`: whether one site holds a part at most. Where rate limits are off, a gateway may be the only peer.
    pub fn new(limits_sites: bool) -> Self {
        Self(Arc::new(BudgetState { limits_sites, held: Mutex::default() }))
    }

    fn bounds(&self, all: usize, of_site: usize) -> SiteBounds {
        SiteBounds { all, of_site: if self.0.limits_sites { of_site } else { all } }
    }
}

/// What a request may take of the budget.
#[derive(Clone)]
pub struct BodyAllowance {
    budget: BodyBudget,
    address: IpAddr,
    head_bytes: usize,
    site_bytes: usize,
}

impl BodyAllowance {
    /// The allowance of a request from `address`, whose head has `head_bytes`.
    pub fn new(budget: &BodyBudget, address: IpAddr, head_bytes: usize) -> Self {
        Self { budget: budget.clone(), address, head_bytes, site_bytes: STRANGER_BYTES }
    }

    /// That of a request that has shown a session or an API key.
    #[must_use]
    pub fn with_credentials(mut self) -> Self {
        self.site_bytes = SITE_BYTES;
        self
    }

    /// Begins with the head, which stays in memory until the body has arrived.
    pub fn begin(&self) -> Result<BodyShare, BudgetExceeded> {
        let bounds = self.budget.bounds(BODIES.all, BODIES.of_site);
        if !self.budget.0.held.lock().bodies.take(self.address, 1, bounds) {
            return Err(BudgetExceeded);
        }
        let mut share = BodyShare { allowance: self.clone(), bytes: 0, reserved: 0 };
        share.grow(self.head_bytes.saturating_sub(FREE_HEAD_BYTES))?;
        Ok(share)
    }
}

/// What a body holds of the budget and of the reserve, given back when it is dropped.
pub struct BodyShare {
    allowance: BodyAllowance,
    bytes: usize,
    reserved: usize,
}

impl BodyShare {
    /// Takes more, before it is allocated.
    pub fn grow(&mut self, bytes: usize) -> Result<(), BudgetExceeded> {
        let BodyAllowance { budget, address, site_bytes, .. } = &self.allowance;
        let mut held = budget.0.held.lock();
        if held.budget.take(*address, bytes, budget.bounds(BUDGET_BYTES, *site_bytes)) {
            self.bytes += bytes;
            return Ok(());
        }
        let is_small = self.bytes + self.reserved + bytes <= SMALL_BYTES;
        if is_small && held.reserve.take(*address, bytes, budget.bounds(RESERVE.all, RESERVE.of_site)) {
            self.reserved += bytes;
            return Ok(());
        }
        Err(BudgetExceeded)
    }
}

impl Drop for BodyShare {
    fn drop(&mut self) {
        let BodyAllowance { budget, address, .. } = &self.allowance;
        let mut held = budget.0.held.lock();
        held.budget.give_back(*address, self.bytes);
        held.reserve.give_back(*address, self.reserved);
        held.bodies.give_back(*address, 1);
    }
}

#[cfg(test)]
#[path = "body_budget_tests.rs"]
mod tests;
