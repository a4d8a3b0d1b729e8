//! Statistics of the ratios between two builds over many rounds. They assume no distribution.

use crate::stats::{count, median};
use serde::Serialize;

/// Two builds of one tree differ by less.
pub const TOLERANCE: f64 = 0.02;
/// In no more of all runs, one of the intervals misses the true median.
const MISSES: f64 = 0.05;

/// How many intervals a run has: the more, the surer each must be for all of them to be right (Bonferroni).
#[derive(Clone, Copy, Debug)]
pub struct Comparisons(pub usize);

/// What the rounds say, in the order that they are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SpeedVerdict {
    /// The whole interval is within the tolerance.
    NoDifference,
    /// The whole interval is below 1.
    Slower,
    /// The whole interval is above 1.
    Faster,
    /// The interval has 1 within it and reaches beyond the tolerance, or there are too few rounds for one.
    CannotTell,
}

/// The speed of the build after, as a ratio to that of the build before in the same round.
#[derive(Debug, Serialize)]
pub struct RatioStats {
    pub median_ratio: f64,
    /// Where the true median is: for all operations of a run with a probability of at least 95 %. `None` where the
    /// rounds are too few for that.
    pub interval: Option<(f64, f64)>,
    /// The medians of the lower and of the upper half.
    pub quartiles: (f64, f64),
    pub verdict: SpeedVerdict,
    pub ratios: Vec<f64>,
}

impl RatioStats {
    pub fn of(ratios: Vec<f64>, comparisons: Comparisons) -> Self {
        let mut sorted = ratios.clone();
        sorted.sort_by(f64::total_cmp);
        let interval = interval(&sorted, comparisons);
        let half = sorted.len().div_ceil(2);
        let halves = (sorted.iter().take(half), sorted.iter().rev().take(half));
        Self {
            median_ratio: median(sorted.iter().copied()),
            interval,
            quartiles: (median(halves.0.copied()), median(halves.1.copied())),
            verdict: verdict(interval),
            ratios,
        }
    }

    pub fn in_words(&self) -> String {
        match (self.verdict, self.interval) {
            (SpeedVerdict::NoDifference, _) => format!("no difference: less than {:.0} %", TOLERANCE * 100.0),
            (SpeedVerdict::Slower, _) => format!("slower by {:.1} %", (1.0 - self.median_ratio) * 100.0),
            (SpeedVerdict::Faster, _) => format!("faster by {:.1} %", (self.median_ratio - 1.0) * 100.0),
            (SpeedVerdict::CannotTell, Some((low, high))) => {
                let (slower, faster) = ((1.0 - low) * 100.0, (high - 1.0) * 100.0);
                format!("cannot tell: between {slower:.1} % slower and {faster:.1} % faster")
            }
            (SpeedVerdict::CannotTell, None) => format!("cannot tell: too few rounds ({})", self.ratios.len()),
        }
    }

    /// Whether the median is below a limit. Its interval does not excuse it: by the upper bound a run would pass the more
    /// easily the noisier it is.
    pub fn is_below(&self, limit: f64) -> bool {
        self.median_ratio < limit
    }
}

fn verdict(interval: Option<(f64, f64)>) -> SpeedVerdict {
    match interval {
        Some((low, high)) if low > 1.0 - TOLERANCE && high < 1.0 + TOLERANCE => SpeedVerdict::NoDifference,
        Some((_, high)) if high < 1.0 => SpeedVerdict::Slower,
        Some((low, _)) if low > 1.0 => SpeedVerdict::Faster,
        _ => SpeedVerdict::CannotTell,
    }
}

/// The confidence interval of the median from order statistics, as of the sign test: the number of values below the true
/// median is that of heads among as many tosses. The narrowest pair of values that is wide enough, the same number of
/// places from either end.
fn interval(sorted: &[f64], comparisons: Comparisons) -> Option<(f64, f64)> {
    // Half of the misses are on either side.
    let misses = MISSES / 2.0 / count(comparisons.0);
    let rounds = count(sorted.len());
    // The probability of exactly `heads`, as its logarithm, which no number of rounds makes zero.
    let (mut ln_exactly, mut at_most) = (-rounds * std::f64::consts::LN_2, 0.0);
    let mut found = None;
    for (heads, (low, high)) in sorted.iter().zip(sorted.iter().rev()).enumerate() {
        at_most += f64::exp(ln_exactly);
        if at_most > misses {
            break;
        }
        found = Some((*low, *high));
        ln_exactly += f64::ln((rounds - count(heads)) / (count(heads) + 1.0));
    }
    found
}

#[cfg(test)]
#[path = "ratios_tests.rs"]
mod tests;
