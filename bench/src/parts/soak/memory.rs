//! Resident memory of each process during a run.

use crate::process::resident_megabytes;
use crate::world::records::{Operation, Sample};
use parking_lot::Mutex;
use serde::Serialize;
use std::time::Duration;

/// The part of the run during which the memory of a new process fills.
const FILL_SHARE: f64 = 0.2;
/// The part of the run over which a median is taken.
const TAIL_SHARE: f64 = 0.05;

/// A session with its first token, and its state after the last refresh; `memory` measures most of it.
const SESSION_KB: f64 = 0.8;
const TOKEN_KB: f64 = 0.15;

struct ProcessSamples {
    place: usize,
    id: u32,
    alive: bool,
    samples: Vec<(Duration, f64)>,
}

pub struct MemoryMonitor(Mutex<Vec<ProcessSamples>>);

#[derive(Serialize)]
pub struct MemoryUse {
    /// Its number, and whether it replaced a killed one.
    pub process: String,
    /// The time of its first sample.
    pub since: Duration,
    /// After its memory has filled, in megabytes: the median of some samples.
    pub early_mb: f64,
    /// At its end, likewise.
    pub late_mb: f64,
    /// Expected growth by the cached sessions and tokens that were created in between.
    pub kept_mb: f64,
    pub most_mb: f64,
}

impl MemoryUse {
    /// Ratio of the end to the beginning, without the expected growth.
    pub fn times(&self) -> f64 {
        (self.late_mb - self.kept_mb) / self.early_mb
    }
}

impl MemoryMonitor {
    pub fn new(processes: impl IntoIterator<Item = u32>) -> Self {
        let monitor = Self(Mutex::default());
        for (place, id) in processes.into_iter().enumerate() {
            monitor.process_started(place, id);
        }
        monitor
    }

    pub fn process_ended(&self, place: usize) {
        for process in self.0.lock().iter_mut().filter(|process| process.place == place) {
            process.alive = false;
        }
    }

    pub fn process_started(&self, place: usize, id: u32) {
        self.0.lock().push(ProcessSamples { place, id, alive: true, samples: Vec::new() });
    }

    /// Samples all live processes, and returns their memory in megabytes.
    pub fn sample(&self, at: Duration) -> Vec<f64> {
        let mut processes = self.0.lock();
        let mut current = Vec::new();
        for process in processes.iter_mut().filter(|process| process.alive) {
            if let Ok(megabytes) = resident_megabytes(process.id) {
                process.samples.push((at, megabytes));
                current.push(megabytes);
            }
        }
        current
    }

    /// The memory of each process that lived long enough.
    pub fn used(&self, length: Duration, answers: &[Sample]) -> Vec<MemoryUse> {
        let processes = self.0.lock();
        processes.iter().filter_map(|process| process.used(length, answers)).collect()
    }
}

/// Expected growth of the caches by the created sessions and tokens. Each cache holds up to 131,072 entries, so memory
/// grows by this without a leak.
fn kept_mb<'a>(answers: impl Iterator<Item = &'a Sample>) -> f64 {
    let kilobytes = answers.map(|answer| match answer.operation {
        Operation::LogIn | Operation::SignUp => SESSION_KB,
        Operation::Refresh => TOKEN_KB,
        _ => 0.0,
    });
    kilobytes.sum::<f64>() / 1024.0
}

impl ProcessSamples {
    fn used(&self, length: Duration, answers: &[Sample]) -> Option<MemoryUse> {
        let since = self.samples.first()?.0;
        let until = self.samples.last()?.0;
        let (fill, tail) = (length.mul_f64(FILL_SHARE), length.mul_f64(TAIL_SHARE));
        let between = |from: Duration, to: Duration| {
            let within = self.samples.iter().filter(|(at, _)| (from..=to).contains(at));
            crate::stats::median(within.map(|(_, megabytes)| *megabytes))
        };
        let early_at = since + fill + tail;
        let early_mb = between(since + fill, early_at);
        (early_mb > 0.0).then(|| MemoryUse {
            process: format!("{}{}", self.place + 1, if since < fill { "" } else { ", started again" }),
            since,
            early_mb,
            kept_mb: kept_mb(answers.iter().filter(|answer| (early_at..until).contains(&answer.asked))),
            late_mb: between(until.saturating_sub(tail), until),
            most_mb: self.samples.iter().map(|(_, megabytes)| *megabytes).fold(0.0, f64::max),
        })
    }
}
