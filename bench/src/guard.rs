//! The guard against regressions: ratios within one run, with room for other load on the machine; never absolute times.

use crate::report::Report;

/// A measured ratio and its lower bound.
pub struct RatioCheck {
    /// What was measured against what.
    pub what: String,
    /// The ratio.
    pub ratio: f64,
    /// The lower bound.
    pub minimum: f64,
}

impl RatioCheck {
    fn passes(&self) -> bool {
        self.ratio >= self.minimum
    }

    fn line(&self) -> String {
        let word = if self.passes() { "ok    " } else { "BROKEN" };
        format!("{word} {}: {:.2} (at least {:.2})", self.what, self.ratio, self.minimum)
    }
}

/// A line for each check; returned as the error if one fails.
pub fn evaluate(report: &Report) -> Result<String, String> {
    let checks = report.checks();
    let lines: Vec<String> = checks.iter().map(RatioCheck::line).collect();
    let text = lines.join("\n");
    if checks.iter().all(RatioCheck::passes) { Ok(text) } else { Err(text) }
}
