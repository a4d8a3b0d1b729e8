//! The memory that this process may use, as far as the system says so.

use std::fs;
use std::path::{Path, PathBuf};

/// The least of the machine's memory and the limits of the control groups of this process (Linux: proc(5), cgroups(7));
/// `None` where nothing says.
pub fn memory_limit() -> Option<u64> {
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
#[path = "memory_limit_tests.rs"]
mod tests;
