//! `doorward doctor`

use super::doctor_args::Doctor;
use super::failure::Failure;
use super::format;
use super::output::Output;
use crate::doctor::{self, Extent, Line, Report};
use crate::model::finding::FindingCode;
use crate::settings::{Environment, ServiceName, Variable};
use serde::Serialize;

#[derive(Serialize)]
struct Examination {
    checks: Vec<Line>,
    healthy: bool,
}

/// Prints what the examination found; fails if it found an error.
pub async fn run(
    name: &ServiceName,
    environment: &Environment,
    how: Doctor,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let extent = Extent { sends: how.send, application: how.app };
    let report = Box::pin(doctor::examine(name, environment, &extent)).await;
    let errors = report.errors();
    let text = table(&report);
    let record = Examination { checks: report.lines, healthy: errors.is_empty() };
    print(&record, &text, &errors, environment, out)
}

/// Prints a report, and ends as its errors say.
pub(super) fn print(
    record: &impl Serialize,
    text: &str,
    errors: &[FindingCode],
    environment: &Environment,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let colors = matches!(environment.get("NO_COLOR"), Variable::Unset);
    out.report(record, text, colors)?;
    outcome(errors)
}

pub(super) fn table(report: &Report) -> String {
    format::table(["state", "check", "code", "about"], report.lines.iter().map(row))
}

/// How a command ends that found these errors.
pub(super) fn outcome(errors: &[FindingCode]) -> Result<(), Failure> {
    let found = match errors {
        [] => return Ok(()),
        [code] => format!("one error was found; doorward explain {} says what to do", code.as_str()),
        [first, ..] => {
            let (number, first) = (errors.len(), first.as_str());
            format!("{number} errors were found; doorward explain {first} says what to do about the first")
        }
    };
    Err(Failure::Refused(found))
}

fn row(line: &Line) -> [String; 4] {
    [line.state, line.check, line.code.map_or("-", FindingCode::as_str), &line.message].map(str::to_owned)
}
