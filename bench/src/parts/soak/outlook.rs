//! What goes wrong, and when: the faults of a run, all of which follow from its length and its seed.

use crate::world::dice::Dice;
use serde::Serialize;
use std::time::Duration;

/// How the receiver of webhooks answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// 204.
    Well,
    /// 500.
    Fails,
    /// 429.
    Overloaded,
    /// 204, after a second.
    Slow,
    /// No answer while the service waits.
    Silent,
    /// Takes no connection; those that are open go on.
    Refuses,
    /// Takes no connection, and those that were open are gone.
    Dead,
}

/// What the receiver goes through, one after the other.
const MOODS: [Mood; 6] = [Mood::Fails, Mood::Dead, Mood::Slow, Mood::Refuses, Mood::Silent, Mood::Overloaded];
/// Between two of them it is well for this long, on average.
const WELL: Duration = Duration::from_secs(20);
/// And in each it stays for this long, on average.
const UNWELL: Duration = Duration::from_secs(6);

/// The receiver's moods and when each begins; well from nine tenths of the time on.
pub fn moods(length: Duration, seed: u64) -> Vec<(Duration, Mood)> {
    let mut dice = Dice::new(seed);
    let mut moods = Vec::new();
    let mut at = Duration::ZERO;
    for mood in MOODS.iter().cycle() {
        at += WELL.mul_f64(0.5 + dice.share());
        let until = at + UNWELL.mul_f64(0.5 + dice.share());
        if until > length.mul_f64(0.9) {
            break;
        }
        moods.extend([(at, *mood), (until, Mood::Well)]);
        at = until;
    }
    moods
}

/// When PostgreSQL is restarted, in times of the length.
pub const RESTART: f64 = 0.35;
/// When a process is killed.
pub const KILL: f64 = 0.65;
/// PostgreSQL stays down for this long, beside what stopping and starting take.
pub const DOWN: Duration = Duration::from_secs(2);
/// The killed process is started again after this.
pub const DEAD: Duration = Duration::from_secs(5);

/// A time in which errors are expected.
#[derive(Clone, Serialize)]
pub struct Window {
    /// What is done to the service.
    pub what: &'static str,
    /// Since the run's begin.
    pub began: Duration,
    /// When all was as before, and a little later.
    pub ended: Duration,
}

/// Whether what lasted from `from` to `until` may have felt one of them.
pub fn touched(windows: &[Window], from: Duration, until: Duration) -> bool {
    windows.iter().any(|window| from <= window.ended && until >= window.began)
}
