//! What the operating system knows of this process, under the names that all exporters use.

use super::Scrape;
use prometheus::Result;
#[cfg(target_os = "linux")]
use std::fs;
#[cfg(target_os = "linux")]
use std::time::Duration;

impl Scrape {
    /// Adds memory, CPU time, open files, threads and the time of the start. What cannot be read is missing.
    #[cfg(target_os = "linux")]
    pub fn process(&self) -> Result<()> {
        if let Some(stat) = fs::read_to_string("/proc/self/stat").ok().as_deref().and_then(Stat::parse) {
            self.stat(&stat)?;
        }
        if let Ok(files) = fs::read_dir("/proc/self/fd") {
            // Without the one that reads the folder.
            self.gauge("process_open_fds", "Open file descriptors.", files.count().saturating_sub(1))?;
        }
        if let Ok((limit, _)) = rlimit::getrlimit(rlimit::Resource::NOFILE) {
            self.gauge("process_max_fds", "Limit of open file descriptors.", limit)?;
        }
        Ok(())
    }

    #[cfg(target_os = "linux")]
    fn stat(&self, stat: &Stat) -> Result<()> {
        self.time("process_cpu_seconds_total", "CPU time, of user and system.", ticks(stat.cpu_ticks))?;
        self.gauge("process_threads", "Threads.", stat.threads)?;
        self.gauge("process_virtual_memory_bytes", "Virtual memory.", stat.virtual_bytes)?;
        let resident = stat.resident_pages.saturating_mul(rustix::param::page_size() as u64);
        self.gauge("process_resident_memory_bytes", "Resident memory.", resident)?;
        let Some(boot) = fs::read_to_string("/proc/stat").ok().as_deref().and_then(boot_time) else { return Ok(()) };
        let began = boot + ticks(stat.start_ticks);
        self.age("process_start_time_seconds", "Start of the process, in seconds of Unix time.", began)
    }

    /// Adds nothing: this system has no such files.
    #[cfg(not(target_os = "linux"))]
    pub fn process(&self) -> Result<()> {
        Ok(())
    }
}

/// What is used of `/proc/self/stat` (proc(5)).
#[cfg(target_os = "linux")]
#[derive(Debug, PartialEq, Eq)]
struct Stat {
    cpu_ticks: u64,
    threads: u64,
    /// After the system's start.
    start_ticks: u64,
    virtual_bytes: u64,
    resident_pages: u64,
}

#[cfg(target_os = "linux")]
impl Stat {
    fn parse(text: &str) -> Option<Self> {
        // The second field is the program's name in parentheses, and may hold anything; the third follows the last one.
        let (_, fields) = text.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
        Some(Self {
            cpu_ticks: field(14)?.saturating_add(field(15)?),
            threads: field(20)?,
            start_ticks: field(22)?,
            virtual_bytes: field(23)?,
            resident_pages: field(24)?,
        })
    }
}

#[cfg(target_os = "linux")]
fn ticks(count: u64) -> Duration {
    Duration::from_millis(count.saturating_mul(1000) / rustix::param::clock_ticks_per_second().max(1))
}

/// The system's start, since 1970, of `/proc/stat`.
#[cfg(target_os = "linux")]
fn boot_time(text: &str) -> Option<Duration> {
    let seconds = text.lines().find_map(|line| line.strip_prefix("btime "))?;
    Some(Duration::from_secs(seconds.trim().parse().ok()?))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn stat_is_read_behind_any_name() {
        let text =
            "7 (a) 1 (b) S 1 7 7 0 -1 4194560 90 0 0 0 12 30 0 0 20 0 5 0 8800 4096000 700 18446744073709551615 1";
        let stat = Stat { cpu_ticks: 42, threads: 5, start_ticks: 8800, virtual_bytes: 4_096_000, resident_pages: 700 };
        assert_eq!(Stat::parse(text), Some(stat));
        assert_eq!(Stat::parse("7 (a) S 1"), None);
    }

    #[test]
    fn boot_time_is_read_among_other_lines() {
        assert_eq!(boot_time("cpu 1 2\nbtime 1799999999\nprocesses 9\n"), Some(Duration::from_secs(1_799_999_999)));
        assert_eq!(boot_time("cpu 1 2\n"), None);
    }
}
