//! The guard against regressions: ratios within one run, with room for other load on the machine; never absolute times.

use crate::ratio_check::RatioCheck;
use crate::report::Report;

/// A line for each check; returned as the error if one fails.
pub fn evaluate(report: &Report) -> Result<String, String> {
    let checks = report.checks();
    let lines: Vec<String> = checks.iter().map(RatioCheck::line).collect();
    let text = lines.join("\n");
    if checks.iter().all(RatioCheck::passes) { Ok(text) } else { Err(text) }
}
