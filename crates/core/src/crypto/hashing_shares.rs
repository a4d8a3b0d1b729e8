//! Shares of the queue for password hashes: no account and no site holds up all others.

use crate::model::device::Device;
use crate::model::ids::UserId;
use crate::model::network::site;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

/// For whom a password is hashed or verified.
#[derive(Clone, Copy, Debug)]
pub struct Requester {
    account: Option<UserId>,
    site: Option<IpAddr>,
}

impl Requester {
    /// An operator, whose share is not limited.
    pub const OPERATOR: Self = Self { account: None, site: None };

    pub fn client(account: Option<UserId>, device: &Device) -> Self {
        Self { account, site: device.ip().map(site) }
    }

    fn holders(self) -> impl Iterator<Item = Holder> {
        [self.account.map(Holder::Account), self.site.map(Holder::Site)].into_iter().flatten()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder {
    Account(UserId),
    Site(IpAddr),
}

/// The places in the queue, by who holds them.
#[derive(Debug)]
pub(super) struct Shares {
    /// The most that one account or one site may hold.
    max: usize,
    held: Arc<Mutex<HashMap<Holder, usize>>>,
}

impl Shares {
    pub(super) fn new(max: usize) -> Self {
        Self { max, held: Arc::default() }
    }

    /// Takes a place until the returned value is dropped; `None` if the account or the site holds its share already.
    pub(super) fn take(&self, requester: Requester) -> Option<ShareGuard> {
        let mut held = self.held.lock();
        if requester.holders().any(|holder| held.get(&holder).is_some_and(|places| *places >= self.max)) {
            return None;
        }
        for holder in requester.holders() {
            *held.entry(holder).or_default() += 1;
        }
        Some(ShareGuard { requester, held: self.held.clone() })
    }
}

pub(super) struct ShareGuard {
    requester: Requester,
    held: Arc<Mutex<HashMap<Holder, usize>>>,
}

impl Drop for ShareGuard {
    fn drop(&mut self) {
        let mut held = self.held.lock();
        for holder in self.requester.holders() {
            if let Some(places) = held.get_mut(&holder) {
                *places -= 1;
                if *places == 0 {
                    held.remove(&holder);
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "hashing_shares_tests.rs"]
mod tests;
