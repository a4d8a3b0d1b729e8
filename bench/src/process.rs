//! Measured processes: started here, observed through `/proc`, and killed on drop.

use crate::outcome::Outcome;
use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// A running child process, killed and reaped when dropped.
pub struct Process(Child);

impl Process {
    pub fn start(command: &mut Command) -> Outcome<Self> {
        let program = command.get_program().to_owned();
        let child = command.spawn();
        Ok(Self(child.map_err(|error| format!("{} did not start: {error}", Path::new(&program).display()))?))
    }

    pub fn child(&mut self) -> &mut Child {
        &mut self.0
    }

    pub fn id(&self) -> u32 {
        self.0.id()
    }

    pub fn has_ended(&mut self) -> bool {
        !matches!(self.0.try_wait(), Ok(None))
    }

    /// Resident memory in megabytes of 2²⁰ bytes.
    pub fn resident_megabytes(&self) -> Outcome<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no such field in /proc")?;
        let kilobytes: u32 = line.trim_end_matches("kB").trim().parse()?;
        Ok(f64::from(kilobytes) / 1024.0)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // An error means that it has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The processor time that a process has used, in seconds.
pub fn cpu_seconds(process: u32) -> Outcome<f64> {
    /// `USER_HZ`, which Linux reports times in, independent of its own clock.
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The second field is the program's name in parentheses, which may contain any character.
    let (_, fields) = stat.rsplit_once(')').ok_or("/proc/PID/stat has another form")?;
    // Fields 14 and 15 of proc(5): utime, stime.
    let times = fields.split_whitespace().skip(11).take(2).map(str::parse::<u32>);
    let ticks = times.sum::<Result<u32, _>>()?;
    Ok(f64::from(ticks) / TICKS_PER_SECOND)
}

pub fn free_address() -> Outcome<SocketAddr> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?)
}

/// The service's binary as packages have it, which cargo puts next to this one.
pub fn doorward() -> Outcome<PathBuf> {
    let own = std::env::current_exe()?;
    if !own.components().any(|part| part.as_os_str() == "dist") {
        return Err("figures are of the profile of packages: cargo run --profile dist -p doorward-bench".into());
    }
    let beside = own.with_file_name("doorward");
    if !beside.is_file() {
        return Err("the service's binary is not beside this one: cargo build --profile dist".into());
    }
    Ok(beside)
}
