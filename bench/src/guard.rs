//! The guard against regressions: ratios of one run, with room for what else a machine does; never times of a clock.

use crate::report::Report;

/// A ratio, the least that is accepted, and what it is of.
pub struct Verdict {
    /// What was measured against what.
    pub what: String,
    /// The ratio.
    pub ratio: f64,
    /// It must be at least this.
    pub least: f64,
}

impl Verdict {
    fn holds(&self) -> bool {
        self.ratio >= self.least
    }

    fn line(&self) -> String {
        let word = if self.holds() { "ok    " } else { "BROKEN" };
        format!("{word} {}: {:.2} (at least {:.2})", self.what, self.ratio, self.least)
    }
}

/// Every verdict on a report, a line each; the error holds them if one does not hold.
pub fn judge(report: &Report) -> Result<String, String> {
    let verdicts = report.verdicts();
    let lines: Vec<String> = verdicts.iter().map(Verdict::line).collect();
    let text = lines.join("\n");
    if verdicts.iter().all(Verdict::holds) { Ok(text) } else { Err(text) }
}
