#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

#[test]
fn connections_are_bounded_by_memory_and_site() {
    assert_eq!(max_of_memory(512 * 1024 * 1024), 1872);
    assert_eq!(max_of_memory(16 * 1024 * 1024), LEAST_OF_ALL);
    assert_eq!(max_of_site(8000), 1000);
    assert_eq!(max_of_site(100), LEAST_OF_SITE);
    assert_eq!((max_of_strangers(100, true), max_of_strangers(100, false)), (50, 100));
    assert!(max_of_all() > 0);
}

/// The limit where these files exist and the machine has 8 GiB.
fn limit(name: &str, files: &[(&str, &str)]) -> Option<u64> {
    let root = std::env::temp_dir().join(format!("doorward-memory-limit-{name}-{}", std::process::id()));
    for (path, text) in [("proc/meminfo", "MemTotal:        8388608 kB\nMemFree: 1 kB\n")].iter().chain(files) {
        let file = root.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    let limit = limit_under(&root);
    fs::remove_dir_all(root).unwrap();
    limit
}

const MIB: u64 = 1024 * 1024;

#[test]
fn least_limit_of_machine_and_control_groups_counts() {
    assert_eq!(limit("none", &[]), Some(8192 * MIB));
    let container = [("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/memory.max", "536870912\n")];
    assert_eq!(limit("container", &container), Some(512 * MIB));
    let unit = "sys/fs/cgroup/system.slice/doorward.service/memory.max";
    let slice = "sys/fs/cgroup/system.slice/memory.max";
    let group = ("proc/self/cgroup", "0::/system.slice/doorward.service\n");
    assert_eq!(limit("unit", &[group, (unit, "max\n"), (slice, "1073741824\n")]), Some(1024 * MIB));
    assert_eq!(limit("unlimited", &[group, (unit, "max\n")]), Some(8192 * MIB));
    let first = [
        ("proc/self/cgroup", "5:memory:/docker/ab\n3:cpuset:/\n0::/\n"),
        ("sys/fs/cgroup/memory/memory.limit_in_bytes", "268435456\n"),
    ];
    assert_eq!(limit("first", &first), Some(256 * MIB));
    assert_eq!(limit_under(Path::new("/nonexistent")), None);
}
