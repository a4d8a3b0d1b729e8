//! The report of a soak: the promises first, then the details.

use super::memory::MemoryUse;
use super::promises::{Promise, check_promises, deliveries, is_during_fault};
use super::receiver::Inbox;
use super::run::Run;
use super::schedule::{Window, overlaps};
use crate::stats::{count, millis, percentile};
use crate::table::Table;
use crate::world::World;
use crate::world::records::{FailureKind, Operation, Sample, summarize};
use serde::Serialize;
use std::fmt::Write as _;
use std::time::Duration;

#[derive(Serialize)]
pub struct Soak {
    engine: &'static str,
    seed: u64,
    seconds: u64,
    capacity_per_second: f64,
    rate_per_second: f64,
    actions: usize,
    promises: Vec<Promise>,
    windows: Vec<Window>,
    operations: Vec<OperationStats>,
    errors_during_faults: Vec<String>,
    webhooks: Webhooks,
    memory: Vec<MemoryUse>,
}

/// Latencies of an operation, outside and during faults.
#[derive(Serialize)]
struct OperationStats {
    operation: &'static str,
    calm: Distribution,
    during_faults: Distribution,
}

#[derive(Serialize)]
struct Distribution {
    count: usize,
    p50_ms: f64,
    p99_ms: f64,
    most_ms: f64,
}

#[derive(Serialize)]
struct Webhooks {
    events: usize,
    deliveries: usize,
    /// Deliveries of an event after a successful response.
    duplicates: usize,
    /// Events that arrived after one that was created later.
    overtaken: usize,
    p50_ms: f64,
    p99_ms: f64,
    most_ms: f64,
}

impl Soak {
    pub(super) fn of(run: Run, world: &World, inbox: &Inbox, memory: Vec<MemoryUse>) -> Self {
        let promises = check_promises(&run, world, inbox, &memory);
        let answers = world.records.answers();
        let failures = world.records.failures();
        let during = failures
            .iter()
            .filter(|failure| failure.kind == FailureKind::Error && is_during_fault(failure, &run.windows));
        Self {
            engine: run.engine.name(),
            seed: run.seed,
            seconds: run.length.as_secs(),
            capacity_per_second: run.capacity,
            rate_per_second: run.rate,
            actions: run.open.started,
            promises,
            operations: Operation::ALL
                .iter()
                .map(|operation| OperationStats::of(*operation, &answers, &run.windows))
                .collect(),
            errors_during_faults: summarize(during),
            webhooks: Webhooks::of(inbox),
            memory,
            windows: run.windows,
        }
    }

    pub fn is_kept(&self) -> bool {
        self.promises.iter().all(|promise| promise.kept)
    }

    pub fn text(&self) -> String {
        let mut text = format!(
            "Soak on {}, {} s, seed {}: {} actions, {:.0}/s of the {:.0}/s that a closed loop reached.\n\n",
            self.engine, self.seconds, self.seed, self.actions, self.rate_per_second, self.capacity_per_second
        );
        for promise in &self.promises {
            let word = if promise.kept { "kept  " } else { "BROKEN" };
            let _ = writeln!(text, "{word} {}: {}", promise.what, promise.detail);
        }
        text.push_str("\nFaults:\n");
        for window in &self.windows {
            let (began, ended) = (window.began.as_secs_f64(), window.ended.as_secs_f64());
            let _ = writeln!(text, "- {}, from {began:.1} s to {ended:.1} s", window.what);
        }
        for error in &self.errors_during_faults {
            let _ = writeln!(text, "  - {error}");
        }
        let _ = write!(text, "\n{}\n{}\n{}", self.operations(), self.webhooks.table(), self.memory());
        text
    }

    fn operations(&self) -> Table {
        let cells = |figures: &OperationStats| {
            let mut cells = vec![figures.operation.to_owned()];
            for part in [&figures.calm, &figures.during_faults] {
                cells.push(part.count.to_string());
                cells.extend([part.p50_ms, part.p99_ms, part.most_ms].map(|millis| format!("{millis:.1}")));
            }
            cells
        };
        Table {
            title: "Answers as they should be, apart from the faults and during them, in milliseconds".to_owned(),
            columns: vec!["operation", "answers", "p50", "p99", "most", "during faults", "p50", "p99", "most"],
            rows: self.operations.iter().map(cells).collect(),
        }
    }

    fn memory(&self) -> Table {
        let cells = |used: &MemoryUse| {
            vec![
                used.process.clone(),
                format!("{:.1}", used.early_mb),
                format!("{:.1}", used.late_mb),
                format!("{:.1}", used.kept_mb),
                format!("{:.1}", used.most_mb),
                format!("{:.2}", used.times()),
            ]
        };
        Table {
            title: "Resident memory in MB, after a fifth of the run and at the end".to_owned(),
            columns: vec!["process", "early", "late", "kept anew", "most", "times without it"],
            rows: self.memory.iter().map(cells).collect(),
        }
    }
}

impl OperationStats {
    fn of(operation: Operation, answers: &[Sample], windows: &[Window]) -> Self {
        let inside = |took: &Sample| overlaps(windows, took.asked, took.asked + took.time);
        let own = answers.iter().filter(|took| took.operation == operation);
        let (during, calm): (Vec<&Sample>, Vec<&Sample>) = own.partition(|took| inside(took));
        Self { operation: operation.name(), calm: Distribution::of(&calm), during_faults: Distribution::of(&during) }
    }
}

impl Distribution {
    fn of(answers: &[&Sample]) -> Self {
        let mut took: Vec<Duration> = answers.iter().map(|answer| answer.time).collect();
        took.sort_unstable();
        Self {
            count: took.len(),
            p50_ms: millis(percentile(&took, 50)),
            p99_ms: millis(percentile(&took, 99)),
            most_ms: millis(took.last().copied().unwrap_or_default()),
        }
    }
}

impl Webhooks {
    fn of(inbox: &Inbox) -> Self {
        let mut delays: Vec<Duration> = inbox.events.values().map(|event| event.delay).collect();
        delays.sort_unstable();
        Self {
            events: inbox.events.len(),
            deliveries: deliveries(inbox),
            duplicates: inbox.events.values().map(|event| event.repeated).sum(),
            overtaken: inbox.overtaken,
            p50_ms: millis(percentile(&delays, 50)),
            p99_ms: millis(percentile(&delays, 99)),
            most_ms: millis(delays.last().copied().unwrap_or_default()),
        }
    }

    fn table(&self) -> Table {
        let share = |part: usize| format!("{part} ({:.2} %)", 100.0 * count(part) / count(self.events).max(1.0));
        Table {
            title: "Webhooks, with a receiver that flaps; ms from an event's making to its first arrival".to_owned(),
            columns: vec![
                "events",
                "deliveries",
                "came again after success",
                "after a later event",
                "p50",
                "p99",
                "most",
            ],
            rows: vec![vec![
                self.events.to_string(),
                self.deliveries.to_string(),
                share(self.duplicates),
                share(self.overtaken),
                format!("{:.1}", self.p50_ms),
                format!("{:.1}", self.p99_ms),
                format!("{:.1}", self.most_ms),
            ]],
        }
    }
}
