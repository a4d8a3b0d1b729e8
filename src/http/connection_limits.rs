//! How many connections may be open, of all clients together and of one site.
//!
//! The limit of a site is by the peer's address, before the first byte is read. A trusted proxy brings everybody, so it
//! has none, and half of all connections are kept for it; what its clients may hold is bounded by the addresses that it
//! names.

use super::client;
use super::site_sums::{SiteBounds, SiteSums};
use super::warning_interval::WarningInterval;
use crate::context::App;
use crate::metrics::{CountedConnection, HttpMetrics};
use parking_lot::Mutex;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// File descriptors reserved for the database, the log and the deliveries.
const RESERVED_FILES: u64 = 256;
/// What a connection holds at most while its request is arriving: a head of 63 KiB without an end. A body holds its part
/// of the budget, too; an idle connection holds a tenth of this.
const CONNECTION_BYTES: u64 = 140 * 1024;
/// Half of the memory is for everything else, unless there is so little that hardly anybody could connect.
const PART_OF_MEMORY: u64 = 2;
/// This number may be open however little memory there is.
const LEAST_OF_ALL: u64 = 256;
/// One site has at most this part of all connections, and no fewer than its least: six for each of ten browsers.
const PART_OF_SITE: usize = 8;
const LEAST_OF_SITE: usize = 64;

pub struct ConnectionLimits {
    /// One permit for each connection that may be open.
    permits: Arc<Semaphore>,
    warning: WarningInterval,
    /// `None` for a listener whose connections are not counted.
    metrics: Option<HttpMetrics>,
    /// `None` if a site may have any number.
    sites: Option<Arc<SiteLimit>>,
}

struct SiteLimit {
    app: Arc<App>,
    bounds: SiteBounds,
    open: Mutex<SiteSums>,
    warning: WarningInterval,
}

impl ConnectionLimits {
    /// Bounds all connections only.
    pub fn of_all() -> Self {
        Self::new(max_of_all(), None, None)
    }

    /// Bounds the connections of each site, too, where rate limits are on.
    pub fn by_site(app: &Arc<App>) -> Self {
        let all = max_of_all();
        let has_proxies = !app.settings.server.trusted_proxies.is_empty();
        let bounds = SiteBounds { all: max_of_strangers(all, has_proxies), of_site: max_of_site(all) };
        let (open, warning) = Default::default();
        let sites = SiteLimit { app: app.clone(), bounds, open, warning };
        let metrics = app.metrics.http.clone();
        metrics.limit_connections(all);
        Self::new(all, Some(metrics), app.settings.server.rate_limit.then(|| Arc::new(sites)))
    }

    fn new(all: usize, metrics: Option<HttpMetrics>, sites: Option<Arc<SiteLimit>>) -> Self {
        Self { permits: Arc::new(Semaphore::new(all)), warning: WarningInterval::new(), metrics, sites }
    }

    /// Waits until another connection may be open.
    pub async fn wait(&self) -> io::Result<OwnedSemaphorePermit> {
        if self.permits.available_permits() == 0 && self.warning.is_due() {
            tracing::warn!("as many connections are open as files and memory permit; further clients wait");
        }
        self.permits.clone().acquire_owned().await.map_err(io::Error::other)
    }

    /// Counts the connection of a peer until the returned value is dropped; the permit comes back if the peer's site has
    /// too many.
    pub fn admit(&self, permit: OwnedSemaphorePermit, peer: IpAddr) -> Result<OpenConnection, OwnedSemaphorePermit> {
        let open = |permit, place| {
            let counted = self.metrics.as_ref().map(HttpMetrics::connect);
            OpenConnection { _permit: permit, _counted: counted, _place: place }
        };
        let Some(limit) = &self.sites else { return Ok(open(permit, None)) };
        let peer = peer.to_canonical();
        if client::is_trusted(&limit.app.settings.server, &peer) {
            return Ok(open(permit, None));
        }
        if !limit.open.lock().take(peer, 1, limit.bounds) {
            if limit.warning.is_due() {
                let SiteBounds { all, of_site } = limit.bounds;
                let variable = limit.app.settings.name.variable("TRUSTED_PROXIES");
                tracing::warn!(
                    %peer,
                    "{of_site} connections are open from this address or its /48, or {all} from all peers that are not \
                    trusted; further ones are closed. If it is a reverse proxy, name it in {variable}"
                );
            }
            return Err(permit);
        }
        Ok(open(permit, Some(SitePlace { limit: limit.clone(), peer })))
    }
}

pub struct OpenConnection {
    _permit: OwnedSemaphorePermit,
    _counted: Option<CountedConnection>,
    _place: Option<SitePlace>,
}

/// A connection among those of its site.
struct SitePlace {
    limit: Arc<SiteLimit>,
    peer: IpAddr,
}

impl Drop for SitePlace {
    fn drop(&mut self) {
        self.limit.open.lock().give_back(self.peer, 1);
    }
}

/// The database needs file descriptors, too.
fn max_of_all() -> usize {
    let files = rlimit::getrlimit(rlimit::Resource::NOFILE).map_or(1024, |(soft, _)| soft);
    let of_files = files.saturating_sub(RESERVED_FILES).max(files / 2);
    let of_memory = memory_limit().map_or(u64::MAX, max_of_memory);
    usize::try_from(of_files.min(of_memory)).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS)
}

fn max_of_memory(bytes: u64) -> u64 {
    (bytes / PART_OF_MEMORY / CONNECTION_BYTES).max(LEAST_OF_ALL)
}

/// Half is reserved for the proxies: clients that reach the port directly cannot take their connections.
fn max_of_strangers(all: usize, has_proxies: bool) -> usize {
    if has_proxies { all / 2 } else { all }
}

fn max_of_site(all: usize) -> usize {
    (all / PART_OF_SITE).max(LEAST_OF_SITE)
}

/// The memory that this process may use: the least of the machine's memory and the limits of the control groups of this process (Linux: proc(5), cgroups(7));
/// `None` where nothing says.
fn memory_limit() -> Option<u64> {
    limit_under(Path::new("/"))
}

fn limit_under(root: &Path) -> Option<u64> {
    let text = |path: &str| fs::read_to_string(root.join(path)).unwrap_or_default();
    let groups = text("proc/self/cgroup");
    let files = groups.lines().filter_map(|line| limit_files(root, line)).flatten();
    // A limit that is not set is a word, or larger than any memory.
    let limits = files.filter_map(|file| fs::read_to_string(file).ok()?.trim().parse().ok());
    let machine = text("proc/meminfo").lines().find_map(|line| {
        let kibibytes: u64 = line.strip_prefix("MemTotal:")?.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(kibibytes * 1024)
    });
    limits.chain(machine).min()
}

/// Where the limits of a group stand, and those of the groups around it. In a container these are all that can be seen.
fn limit_files(root: &Path, line: &str) -> Option<Vec<PathBuf>> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (controllers, group) = (parts.next()?, parts.next()?.trim_start_matches('/'));
    let (mount, file) = match controllers {
        "" => ("sys/fs/cgroup", "memory.max"),
        "memory" => ("sys/fs/cgroup/memory", "memory.limit_in_bytes"),
        _ => return None,
    };
    let mount = root.join(mount);
    Some(Path::new(group).ancestors().map(|group| mount.join(group).join(file)).collect())
}

#[cfg(test)]
#[path = "connection_limits_tests.rs"]
mod tests;
