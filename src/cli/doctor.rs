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
    let report = doctor::examine(name, environment, &Extent { sends: how.send, application: how.app }).await;
    let errors = report.errors();
    let text = table(&report);
    let colors = matches!(environment.get("NO_COLOR"), Variable::Unset);
    out.report(&Examination { checks: report.lines, healthy: errors == 0 }, &text, colors)?;
    outcome(errors)
}

pub(super) fn table(report: &Report) -> String {
    format::table(["state", "check", "code", "about"], report.lines.iter().map(row))
}

/// How a command ends that found this number of errors.
pub(super) fn outcome(errors: usize) -> Result<(), Failure> {
    let found = match errors {
        0 => return Ok(()),
        1 => "one error was found; its code is".to_owned(),
        errors => format!("{errors} errors were found; their codes are"),
    };
    let place = "explained in docs/reference/doctor.md: in the source, or in /usr/share/doc/doorward of the package";
    Err(Failure::Refused(format!("{found} {place}")))
}

fn row(line: &Line) -> [String; 4] {
    [line.state, line.check, line.code.map_or("-", FindingCode::as_str), &line.message].map(str::to_owned)
}
