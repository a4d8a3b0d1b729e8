//! What a process knows of the list of providers: its version at the last poll of the change feed, and the list itself.

use super::list::ProviderList;
use parking_lot::Mutex;
use std::sync::Arc;

#[derive(Debug, Default)]
pub(in crate::store) struct ProviderMemory(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// The version at the last poll; `None` before the first.
    polled: Option<i64>,
    list: Option<Arc<ProviderList>>,
    forgotten: u64,
}

#[derive(Clone, Copy)]
pub(in crate::store) struct StartedProviderRead(u64);

impl ProviderMemory {
    /// The list, if it is of the version of the last poll.
    pub(in crate::store) fn current(&self) -> Option<Arc<ProviderList>> {
        let known = self.0.lock();
        known.list.as_ref().filter(|list| Some(list.version) == known.polled).cloned()
    }

    /// The list, of whatever version.
    pub(in crate::store) fn last_read(&self) -> Option<Arc<ProviderList>> {
        self.0.lock().list.clone()
    }

    /// What a poll found. Of another server the version says nothing: `is_same_server` is `false` then.
    pub(in crate::store) fn note_poll(&self, version: i64, is_same_server: bool) {
        let mut known = self.0.lock();
        if !is_same_server {
            known.list = None;
            known.forgotten += 1;
        }
        known.polled = Some(version);
    }

    /// Must be called before the list is read.
    pub(in crate::store) fn start_read(&self) -> StartedProviderRead {
        StartedProviderRead(self.0.lock().forgotten)
    }

    /// Keeps what was read, unless the list was forgotten meanwhile.
    pub(in crate::store) fn keep(&self, started: StartedProviderRead, list: &Arc<ProviderList>) {
        let mut known = self.0.lock();
        if known.forgotten == started.0 {
            known.list = Some(list.clone());
        }
    }
}

#[cfg(test)]
#[path = "memory_tests.rs"]
mod tests;
