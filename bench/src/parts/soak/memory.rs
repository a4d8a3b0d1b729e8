//! Resident memory of each process, over the time of a run.

use crate::process::resident_megabytes;
use crate::world::lock;
use crate::world::records::{Operation, Took};
use serde::Serialize;
use std::sync::Mutex;
use std::time::Duration;

/// After the start of a process, its memory fills for so much of the run.
const FILLS: f64 = 0.2;
/// Before the end, so much of the run is looked at.
const TAIL: f64 = 0.05;

/// A session with its first token, and as its last refresh left it; `memory` measures the larger part of it.
const SESSION_KB: f64 = 0.8;
/// A verified token.
const TOKEN_KB: f64 = 0.15;

/// A life of a process.
struct Life {
    place: usize,
    process: u32,
    alive: bool,
    samples: Vec<(Duration, f64)>,
}

/// Measures all of them.
pub struct Gauge(Mutex<Vec<Life>>);

/// What a process used.
#[derive(Serialize)]
pub struct Used {
    /// Which one.
    pub process: String,
    /// From when on it lived.
    pub since: Duration,
    /// After its first time, in megabytes: the median of some samples.
    pub early_mb: f64,
    /// At its end.
    pub late_mb: f64,
    /// What it keeps of the sessions and tokens that were made in between.
    pub kept_mb: f64,
    /// The most.
    pub most_mb: f64,
}

impl Used {
    /// The end against the beginning, without what is kept anew.
    pub fn times(&self) -> f64 {
        (self.late_mb - self.kept_mb) / self.early_mb
    }
}

impl Gauge {
    /// For these processes.
    pub fn new(processes: impl IntoIterator<Item = u32>) -> Self {
        let gauge = Self(Mutex::default());
        for (place, process) in processes.into_iter().enumerate() {
            gauge.born(place, process);
        }
        gauge
    }

    /// A process was killed.
    pub fn died(&self, place: usize) {
        for life in lock(&self.0).iter_mut().filter(|life| life.place == place) {
            life.alive = false;
        }
    }

    /// Another one lives.
    pub fn born(&self, place: usize, process: u32) {
        lock(&self.0).push(Life { place, process, alive: true, samples: Vec::new() });
    }

    /// Looks at all of them; gives what they use, for a line on the way.
    pub fn sample(&self, at: Duration) -> Vec<f64> {
        let mut lives = lock(&self.0);
        let mut present = Vec::new();
        for life in lives.iter_mut().filter(|life| life.alive) {
            if let Ok(megabytes) = resident_megabytes(life.process) {
                life.samples.push((at, megabytes));
                present.push(megabytes);
            }
        }
        present
    }

    /// Each process that lived for long enough.
    pub fn used(&self, length: Duration, answers: &[Took]) -> Vec<Used> {
        let lives = lock(&self.0);
        lives.iter().filter_map(|life| life.used(length, answers)).collect()
    }
}

/// What a process keeps of what was made: as much of each until 131,072 of it are there, so that it grows by this also
/// where nothing leaks.
fn kept_mb<'a>(answers: impl Iterator<Item = &'a Took>) -> f64 {
    let kilobytes = answers.map(|took| match took.operation {
        Operation::LogIn | Operation::SignUp => SESSION_KB,
        Operation::Refresh => TOKEN_KB,
        _ => 0.0,
    });
    kilobytes.sum::<f64>() / 1024.0
}

impl Life {
    fn used(&self, length: Duration, answers: &[Took]) -> Option<Used> {
        let since = self.samples.first()?.0;
        let until = self.samples.last()?.0;
        let (fill, tail) = (length.mul_f64(FILLS), length.mul_f64(TAIL));
        let between = |from: Duration, to: Duration| {
            let within = self.samples.iter().filter(|(at, _)| (from..=to).contains(at));
            crate::stats::median(within.map(|(_, megabytes)| *megabytes))
        };
        let early_at = since + fill + tail;
        let early_mb = between(since + fill, early_at);
        (early_mb > 0.0).then(|| Used {
            process: format!("{}{}", self.place + 1, if since < fill { "" } else { ", started again" }),
            since,
            early_mb,
            kept_mb: kept_mb(answers.iter().filter(|took| (early_at..until).contains(&took.asked))),
            late_mb: between(until.saturating_sub(tail), until),
            most_mb: self.samples.iter().map(|(_, megabytes)| *megabytes).fold(0.0, f64::max),
        })
    }
}
