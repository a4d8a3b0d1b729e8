//! The memory of all request bodies that are under way.
//!
//! What counts is the bytes held, not the number of requests: many clients that are slow to send a small form keep nobody
//! out, and a few that send much do not take all memory.

use crate::model::network::subnet;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// All bodies under way together, with the heads of their requests.
const BUDGET_BYTES: usize = 8 * 1024 * 1024;
/// Of which one network may hold this part.
const NETWORK_BYTES: usize = BUDGET_BYTES / 4;

/// The budget of a process.
#[derive(Clone)]
pub struct BodyBudget(Arc<BudgetState>);

struct BudgetState {
    network_bytes: usize,
    held: Mutex<UsedBytes>,
}

/// Networks without a body under way have no entry.
#[derive(Default)]
struct UsedBytes {
    bytes: usize,
    networks: HashMap<IpAddr, usize>,
}

/// The budget, or one network's part of it, is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetExceeded;

impl BodyBudget {
    /// `limits_networks`: whether one network holds at most a quarter. Where rate limits are off, a gateway may be the
    /// only peer.
    pub fn new(limits_networks: bool) -> Self {
        let network_bytes = if limits_networks { NETWORK_BYTES } else { BUDGET_BYTES };
        Self(Arc::new(BudgetState { network_bytes, held: Mutex::default() }))
    }
}

impl BudgetState {
    fn take(&self, network: IpAddr, bytes: usize) -> Result<(), BudgetExceeded> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let of_network = held.networks.get(&network).copied().unwrap_or_default() + bytes;
        if held.bytes + bytes > BUDGET_BYTES || of_network > self.network_bytes {
            return Err(BudgetExceeded);
        }
        held.bytes += bytes;
        held.networks.insert(network, of_network);
        Ok(())
    }

    fn give_back(&self, network: IpAddr, bytes: usize) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.bytes -= bytes;
        if let Entry::Occupied(mut entry) = held.networks.entry(network) {
            *entry.get_mut() -= bytes;
            if *entry.get() == 0 {
                entry.remove();
            }
        }
    }
}

/// What a request may take of the budget.
#[derive(Clone)]
pub struct BodyAllowance {
    budget: BodyBudget,
    network: IpAddr,
    head_bytes: usize,
}

impl BodyAllowance {
    /// The allowance of a request from `address`, whose head has `head_bytes`.
    pub fn new(budget: &BodyBudget, address: IpAddr, head_bytes: usize) -> Self {
        Self { budget: budget.clone(), network: subnet(address), head_bytes }
    }

    /// Begins with the head, which stays in memory until the body has arrived.
    pub fn begin(&self) -> Result<BodyShare, BudgetExceeded> {
        let mut share = BodyShare { budget: self.budget.clone(), network: self.network, bytes: 0 };
        share.grow(self.head_bytes)?;
        Ok(share)
    }
}

/// What a body holds of the budget, given back when it is dropped.
pub struct BodyShare {
    budget: BodyBudget,
    network: IpAddr,
    bytes: usize,
}

impl BodyShare {
    /// Takes more, before it is allocated.
    pub fn grow(&mut self, bytes: usize) -> Result<(), BudgetExceeded> {
        self.budget.0.take(self.network, bytes)?;
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for BodyShare {
    fn drop(&mut self) {
        self.budget.0.give_back(self.network, self.bytes);
    }
}

#[cfg(test)]
#[path = "body_budget_tests.rs"]
mod tests;
