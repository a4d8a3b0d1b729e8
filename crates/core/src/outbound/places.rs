//! How many requests run at once to one host, and how many of them the people of one site may cause.

use crate::model::network::site;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Requests at once to one host.
pub(super) const PLACES: usize = 16;
/// Those caused from one site: it cannot keep all others waiting.
pub(super) const PLACES_OF_SITE: usize = PLACES / 4;
/// Hosts, and shares of sites, that are kept while none of their places is taken.
const MAX_IDLE: usize = 1024;

#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) hosts: Mutex<HashMap<String, Arc<Semaphore>>>,
    shares: Mutex<HashMap<(String, IpAddr), Arc<Share>>>,
}

#[derive(Debug)]
struct Share {
    places: Arc<Semaphore>,
    /// Held while a request waits for the host. So each site has one in that queue, and sites take turns.
    turn: tokio::sync::Mutex<()>,
}

/// A place, which is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    _of_host: Option<OwnedSemaphorePermit>,
    _of_site: Option<OwnedSemaphorePermit>,
    /// A share is dropped only while none of its places is taken.
    _share: Option<Arc<Share>>,
}

impl Places {
    /// Waits for a place at a host, for a client at this address or for the service itself; the caller limits the time.
    pub(super) async fn take(&self, host: &str, from: Option<IpAddr>) -> Place {
        let host = host.to_ascii_lowercase();
        let places = kept(&self.hosts, host.clone(), || Semaphore::new(PLACES));
        // No semaphore is ever closed.
        let Some(address) = from else {
            return Place { _of_host: places.acquire_owned().await.ok(), _of_site: None, _share: None };
        };
        let share = kept(&self.shares, (host, site(address)), || Share {
            places: Arc::new(Semaphore::new(PLACES_OF_SITE)),
            turn: tokio::sync::Mutex::default(),
        });
        let of_site = share.places.clone().acquire_owned().await.ok();
        let of_host = {
            let _turn = share.turn.lock().await;
            places.acquire_owned().await.ok()
        };
        Place { _of_host: of_host, _of_site: of_site, _share: Some(share) }
    }
}

/// The value of a key, made where it is missing. Beyond [`MAX_IDLE`] those that are not in use are dropped first.
fn kept<K: Eq + Hash, V>(values: &Mutex<HashMap<K, Arc<V>>>, key: K, make: impl FnOnce() -> V) -> Arc<V> {
    let mut values = values.lock();
    if values.len() >= MAX_IDLE {
        values.retain(|_, value| Arc::strong_count(value) > 1);
    }
    values.entry(key).or_insert_with(|| Arc::new(make())).clone()
}
