//! What the doctor says.

use crate::model::finding::{Finding, FindingCode, Severity};
use std::time::Duration;
use tokio::time::timeout;

/// Longer than a database may take to answer one statement, and shorter than a person waits.
const LIMIT: Duration = Duration::from_secs(15);

/// One result of a check.
#[derive(Debug)]
pub struct Line {
    /// The check.
    pub check: &'static str,
    /// What is well, in a few words, or what was found.
    pub result: Result<String, Finding>,
}

/// All results, in the order of the checks.
#[derive(Debug, Default)]
pub struct Report {
    /// The results.
    pub lines: Vec<Line>,
}

impl Report {
    /// Records that something is well.
    pub(super) fn ok(&mut self, check: &'static str, text: impl Into<String>) {
        self.lines.push(Line { check, result: Ok(text.into()) });
    }

    /// Records a finding.
    pub(super) fn found(&mut self, check: &'static str, finding: Finding) {
        self.lines.push(Line { check, result: Err(finding) });
    }

    /// Records that a check found nothing, if so.
    pub(super) fn ok_unless_found(&mut self, check: &'static str, text: impl Into<String>) {
        if !self.lines.iter().any(|line| line.check == check && line.result.is_err()) {
            self.ok(check, text);
        }
    }

    /// The result of a check; a finding if it does not end.
    pub(super) async fn in_time<T>(&mut self, check: &'static str, work: impl Future<Output = T>) -> Option<T> {
        let done = timeout(LIMIT, work).await;
        if done.is_err() {
            let message = format!("no result within {} seconds", LIMIT.as_secs());
            self.found(check, Finding::new(FindingCode::CheckTimedOut, message));
        }
        done.ok()
    }

    /// The number of errors.
    pub fn errors(&self) -> usize {
        let findings = self.lines.iter().filter_map(|line| line.result.as_ref().err());
        findings.filter(|finding| finding.code.severity() == Severity::Error).count()
    }
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
