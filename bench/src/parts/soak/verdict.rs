//! What was promised, and whether it was kept.

use super::Run;
use super::memory::Used;
use super::outlook::{Window, touched};
use super::receiver::Inbox;
use crate::world::World;
use crate::world::records::{Wrong, WrongKind, tell};
use serde::Serialize;
use std::collections::HashMap;
use std::time::Duration;

/// Resident memory may grow to so many times of what it was early on, beside what is kept of new sessions and tokens.
const FLAT: f64 = 1.1;
/// So many examples are shown.
const EXAMPLES: usize = 5;

/// One promise.
#[derive(Serialize)]
pub struct Promise {
    /// What it is.
    pub what: &'static str,
    /// Whether it was kept.
    pub kept: bool,
    /// The figures behind it, or what broke it.
    pub detail: String,
}

impl Promise {
    fn new(what: &'static str, broken: &[String], figures: String) -> Self {
        let shown = broken.iter().take(EXAMPLES).cloned().collect::<Vec<_>>().join("; ");
        let detail = match broken.len() {
            0 => figures,
            all if all > EXAMPLES => format!("{figures}: {shown}; {} more", all - EXAMPLES),
            _ => format!("{figures}: {shown}"),
        };
        Self { what, kept: broken.is_empty(), detail }
    }
}

/// Every promise.
pub fn judge(run: &Run, world: &World, inbox: &Inbox, memory: &[Used]) -> Vec<Promise> {
    let (lost, surplus) = compare(world, inbox);
    let wrongs = world.records.wrongs();
    let of = |kind: WrongKind| tell(wrongs.iter().filter(|wrong| wrong.kind == kind));
    let outside = |wrong: &&Wrong| wrong.kind == WrongKind::Error && !is_inside(wrong, &run.windows);
    let inside =
        wrongs.iter().filter(|wrong| wrong.kind == WrongKind::Error).count() - wrongs.iter().filter(outside).count();
    vec![
        Promise::new("no event was lost", &lost, format!("{} expected", world.ledger.certain())),
        Promise::new(
            "no event without its action, none for what was refused",
            &surplus,
            format!("{} distinct events arrived", inbox.events.len()),
        ),
        Promise::new(
            "the same bytes at every attempt, signed",
            &inbox.other_bytes,
            format!("{} deliveries, {} not genuine", deliveries(inbox), inbox.not_genuine),
        )
        .and(inbox.not_genuine == 0),
        Promise::new(
            "no delivery was given up",
            &[],
            format!("{} failed, {} still waited at the end", run.outbox.failed, run.outbox.waiting),
        )
        .and(run.outbox.failed == 0 && run.outbox.waiting == 0),
        Promise::new("no honest user was refused", &of(WrongKind::Refusal), figures(run)),
        Promise::new("no session lived on after its log-out", &of(WrongKind::Ghost), logged_out(world)),
        Promise::new("every answer was the one to expect", &of(WrongKind::Contract), figures(run)),
        Promise::new(
            "no error but during the faults",
            &tell(wrongs.iter().filter(outside)),
            format!("{inside} during the faults"),
        ),
        all_were_begun(run),
        memory_stayed(memory),
    ]
}

/// While the database is away, more may wait than the load can have under way.
fn all_were_begun(run: &Run) -> Promise {
    let of_faults = |at: &&Duration| touched(&run.windows, **at, **at);
    let (all, inside) = (run.open.left_out.len(), run.open.left_out.iter().filter(of_faults).count());
    let figures = format!("{inside} left out during the faults, {} apart from them", all - inside);
    Promise::new("no action was left out for want of answers but during the faults", &[], figures).and(all == inside)
}

impl Promise {
    fn and(mut self, kept: bool) -> Self {
        self.kept &= kept;
        self
    }
}

fn figures(run: &Run) -> String {
    format!("{} actions", run.open.begun)
}

fn logged_out(world: &World) -> String {
    let all = world.records.answers();
    let log_outs = all.iter().filter(|took| took.operation == crate::world::records::Operation::LogOut).count();
    format!("{log_outs} log-outs, each asked about at every process after a second")
}

fn memory_stayed(memory: &[Used]) -> Promise {
    let grown = memory.iter().filter(|used| used.times() > FLAT);
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

/// Whether it happened while a fault was made.
pub fn is_inside(wrong: &Wrong, windows: &[Window]) -> bool {
    touched(windows, wrong.asked, wrong.ended)
}

/// Deliveries of all events.
pub fn deliveries(inbox: &Inbox) -> usize {
    inbox.events.values().map(|event| event.times).sum()
}

/// What of the ledger did not arrive, and what arrived beside it.
fn compare(world: &World, inbox: &Inbox) -> (Vec<String>, Vec<String>) {
    let mut arrived = HashMap::<&str, usize>::new();
    for event in inbox.events.values().filter(|event| event.taken > 0) {
        *arrived.entry(&event.content).or_default() += 1;
    }
    let ledger = world.ledger.all();
    let (mut lost, mut surplus) = (Vec::new(), Vec::new());
    for (content, expected) in &ledger {
        let there = arrived.remove(content.as_str()).unwrap_or_default();
        if there < expected.certain {
            lost.push(format!("{content} ({there} of {})", expected.certain));
        }
        if there > expected.certain + expected.possible {
            surplus.push(format!("{content} ({there} instead of {})", expected.certain + expected.possible));
        }
    }
    surplus.extend(arrived.into_iter().map(|(content, there)| format!("{content} ({there}, by no action)")));
    (lost, surplus)
}
