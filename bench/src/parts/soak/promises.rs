//! The promises of the service, and whether they were kept.

use super::memory::MemoryUse;
use super::receiver::Inbox;
use super::run::Run;
use super::schedule::{Window, overlaps};
use crate::world::World;
use crate::world::records::{Failure, FailureKind, summarize};
use serde::Serialize;
use std::collections::HashMap;
use std::time::Duration;

/// Maximum ratio of late to early resident memory, without the expected growth by new sessions and tokens.
const MAX_MEMORY_GROWTH: f64 = 1.1;
/// The limit of examples in a detail.
const MAX_EXAMPLES: usize = 5;

#[derive(Serialize)]
pub struct Promise {
    pub what: &'static str,
    pub kept: bool,
    /// Its figures, and examples of what broke it.
    pub detail: String,
}

impl Promise {
    fn new(what: &'static str, broken: &[String], figures: String) -> Self {
        let shown = broken.iter().take(MAX_EXAMPLES).cloned().collect::<Vec<_>>().join("; ");
        let detail = match broken.len() {
            0 => figures,
            all if all > MAX_EXAMPLES => format!("{figures}: {shown}; {} more", all - MAX_EXAMPLES),
            _ => format!("{figures}: {shown}"),
        };
        Self { what, kept: broken.is_empty(), detail }
    }
}

pub fn check_promises(run: &Run, world: &World, inbox: &Inbox, memory: &[MemoryUse]) -> Vec<Promise> {
    let (lost, surplus) = compare(world, inbox);
    let failures = world.records.failures();
    let of = |kind: FailureKind| summarize(failures.iter().filter(|failure| failure.kind == kind));
    let outside = |failure: &&Failure| failure.kind == FailureKind::Error && !is_during_fault(failure, &run.windows);
    let inside = failures.iter().filter(|failure| failure.kind == FailureKind::Error).count()
        - failures.iter().filter(outside).count();
    vec![
        Promise::new("no event was lost", &lost, format!("{} expected", world.ledger.required())),
        Promise::new(
            "no event without its action, none for what was refused",
            &surplus,
            format!("{} distinct events arrived", inbox.events.len()),
        ),
        Promise::new(
            "the same bytes at every attempt, signed",
            &inbox.other_bytes,
            format!("{} deliveries, {} not genuine", deliveries(inbox), inbox.invalid),
        )
        .and(inbox.invalid == 0),
        Promise::new(
            "no delivery was given up",
            &[],
            format!("{} failed, {} still waited at the end", run.outbox.failed, run.outbox.waiting),
        )
        .and(run.outbox.failed == 0 && run.outbox.waiting == 0),
        Promise::new("no honest user was refused", &of(FailureKind::Refusal), action_count(run)),
        Promise::new("no session lived on after its log-out", &of(FailureKind::EndedSession), logout_count(world)),
        Promise::new("every answer was the one to expect", &of(FailureKind::UnexpectedAnswer), action_count(run)),
        Promise::new(
            "no error but during the faults",
            &summarize(failures.iter().filter(outside)),
            format!("{inside} during the faults"),
        ),
        no_action_was_skipped(run),
        memory_stayed_flat(memory),
    ]
}

/// While the database is unavailable, more actions may wait than the limit allows.
fn no_action_was_skipped(run: &Run) -> Promise {
    let of_faults = |at: &&Duration| overlaps(&run.windows, **at, **at);
    let (all, inside) = (run.open.skipped.len(), run.open.skipped.iter().filter(of_faults).count());
    let figures = format!("{inside} left out during the faults, {} apart from them", all - inside);
    Promise::new("no action was left out for want of answers but during the faults", &[], figures).and(all == inside)
}

impl Promise {
    fn and(mut self, kept: bool) -> Self {
        self.kept &= kept;
        self
    }
}

fn action_count(run: &Run) -> String {
    format!("{} actions", run.open.started)
}

fn logout_count(world: &World) -> String {
    let all = world.records.answers();
    let log_outs = all.iter().filter(|took| took.operation == crate::world::records::Operation::LogOut).count();
    format!("{log_outs} log-outs, each asked about at every process after a second")
}

fn memory_stayed_flat(memory: &[MemoryUse]) -> Promise {
    let grown = memory.iter().filter(|used| used.times() > MAX_MEMORY_GROWTH);
    let grown: Vec<String> = grown.map(|used| format!("process {}", used.process)).collect();
    let all = memory.iter().map(|used| {
        format!(
            "{}: {:.1} to {:.1} MB, {:.1} of them for new sessions and tokens, {:.2} times without",
            used.process,
            used.early_mb,
            used.late_mb,
            used.kept_mb,
            used.times()
        )
    });
    let figures = all.collect::<Vec<_>>().join(", ");
    Promise::new(
        "memory stayed flat (at most 1.1 times, beside what is kept of new sessions and tokens)",
        &grown,
        figures,
    )
    .and(!memory.is_empty())
}

/// Whether a failure happened during a fault.
pub fn is_during_fault(failure: &Failure, windows: &[Window]) -> bool {
    overlaps(windows, failure.asked, failure.ended)
}

pub fn deliveries(inbox: &Inbox) -> usize {
    inbox.events.values().map(|event| event.times).sum()
}

/// Expected events that did not arrive, and unexpected ones that did.
fn compare(world: &World, inbox: &Inbox) -> (Vec<String>, Vec<String>) {
    let mut arrived = HashMap::<&str, usize>::new();
    for event in inbox.events.values().filter(|event| event.accepted > 0) {
        *arrived.entry(&event.content).or_default() += 1;
    }
    let ledger = world.ledger.all();
    let (mut lost, mut surplus) = (Vec::new(), Vec::new());
    for (content, expected) in &ledger {
        let found = arrived.remove(content.as_str()).unwrap_or_default();
        if found < expected.required {
            lost.push(format!("{content} ({found} of {})", expected.required));
        }
        if found > expected.required + expected.optional {
            surplus.push(format!("{content} ({found} instead of {})", expected.required + expected.optional));
        }
    }
    surplus.extend(arrived.into_iter().map(|(content, found)| format!("{content} ({found}, by no action)")));
    (lost, surplus)
}
