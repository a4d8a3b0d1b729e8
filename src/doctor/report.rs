//! What the doctor says.

use crate::model::finding::{Finding, FindingCode, Severity};
use serde::Serialize;
use std::time::Duration;
use tokio::time::timeout;

/// Longer than a database may take to answer one statement, and shorter than a person waits.
const LIMIT: Duration = Duration::from_secs(15);

#[derive(Debug, Serialize)]
pub struct Line {
    pub check: &'static str,
    pub code: Option<FindingCode>,
    /// What is well, in a few words, or what was found.
    pub message: String,
    /// `ok`, or how bad the finding is.
    pub state: &'static str,
}

/// All results, in the order of the checks.
#[derive(Debug, Default)]
pub struct Report {
    pub lines: Vec<Line>,
}

impl Report {
    pub(super) fn ok(&mut self, check: &'static str, text: impl Into<String>) {
        self.lines.push(Line { check, code: None, message: text.into(), state: "ok" });
    }

    pub(super) fn found(&mut self, check: &'static str, Finding { code, message }: Finding) {
        self.lines.push(Line { check, code: Some(code), message, state: code.severity().as_str() });
    }

    /// Records that a check found nothing, if so.
    pub(super) fn ok_unless_found(&mut self, check: &'static str, text: impl Into<String>) {
        if !self.lines.iter().any(|line| line.check == check && line.code.is_some()) {
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

    pub fn errors(&self) -> Vec<FindingCode> {
        let codes = self.lines.iter().filter_map(|line| line.code);
        codes.filter(|code| code.severity() == Severity::Error).collect()
    }
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
