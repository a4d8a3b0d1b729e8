//! The guard against regressions: every aim, with room for what else the machine does.

use crate::check::Check;
use crate::report::Report;

/// A line for each check; returned as the error if one fails.
pub fn evaluate(report: &Report) -> Result<String, String> {
    let checks = report.checks();
    let lines: Vec<String> = checks.iter().map(Check::line).collect();
    let text = lines.join("\n");
    if checks.iter().all(Check::passes) { Ok(text) } else { Err(text) }
}
