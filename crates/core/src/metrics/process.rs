//! What the operating system knows of this process, under the names that all exporters use.

use super::Scrape;
use prometheus::Result;
#[cfg(target_os = "linux")]
use std::time::Duration;

impl Scrape {
    /// Adds memory, CPU time, open files, threads and the time of the start. What cannot be read is missing.
    #[cfg(target_os = "linux")]
    pub fn process(&self) -> Result<()> {
        let Ok(process) = procfs::process::Process::myself() else { return Ok(()) };
        if let Ok(stat) = process.stat() {
            self.stat(&stat)?;
        }
        if let Ok(open) = process.fd_count() {
            self.gauge("process_open_fds", "Open file descriptors.", open)?;
        }
        if let Ok(limits) = process.limits()
            && let procfs::process::LimitValue::Value(limit) = limits.max_open_files.soft_limit
        {
            self.gauge("process_max_fds", "Limit of open file descriptors.", limit)?;
        }
        Ok(())
    }

    #[cfg(target_os = "linux")]
    fn stat(&self, stat: &procfs::process::Stat) -> Result<()> {
        let time = |ticks: u64| Duration::from_millis(ticks.saturating_mul(1000) / procfs::ticks_per_second().max(1));
        self.time("process_cpu_seconds_total", "CPU time, of user and system.", time(stat.utime + stat.stime))?;
        self.gauge("process_threads", "Threads.", stat.num_threads)?;
        self.gauge("process_virtual_memory_bytes", "Virtual memory.", stat.vsize)?;
        let resident = stat.rss.saturating_mul(procfs::page_size());
        self.gauge("process_resident_memory_bytes", "Resident memory.", resident)?;
        let Ok(boot) = procfs::boot_time_secs() else { return Ok(()) };
        let began = Duration::from_secs(boot) + time(stat.starttime);
        self.age("process_start_time_seconds", "Start of the process, in seconds of Unix time.", began)
    }

    /// Adds nothing: this system has no such files.
    #[cfg(not(target_os = "linux"))]
    pub fn process(&self) -> Result<()> {
        Ok(())
    }
}
