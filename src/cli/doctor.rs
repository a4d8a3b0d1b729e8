//! `doorward doctor`

use super::doctor_args::Doctor;
use super::failure::Failure;
use super::format;
use super::output::Output;
use crate::doctor::{self, Extent, Line};
use crate::model::finding::Severity;
use crate::settings::{Environment, ServiceName};
use serde_json::{Value, json};
use std::io::Write;

/// Prints what the examination found; fails if it found an error.
pub async fn run<W: Write>(
    name: &ServiceName,
    environment: &Environment,
    how: Doctor,
    out: &mut Output<W>,
) -> Result<(), Failure> {
    let report = doctor::examine(name, environment, &Extent { sends: how.send, application: how.app }).await;
    let (errors, lines) = (report.errors(), &report.lines);
    let json = json!({"healthy": errors == 0, "checks": lines.iter().map(record).collect::<Vec<_>>()});
    out.result(&json, &format::table(["state", "check", "code", "about"], lines.iter().map(row)))?;
    match errors {
        0 => Ok(()),
        1 => Err(Failure::Refused("one error was found; docs/doctor.md explains its code".to_owned())),
        errors => Err(Failure::Refused(format!("{errors} errors were found; docs/doctor.md explains their codes"))),
    }
}

fn state(line: &Line) -> &'static str {
    match line.result.as_ref().map_err(|finding| finding.code.severity()) {
        Ok(_) => "ok",
        Err(Severity::Warning) => "warning",
        Err(Severity::Error) => "error",
    }
}

fn parts(line: &Line) -> (Option<&'static str>, &str) {
    match &line.result {
        Ok(text) => (None, text),
        Err(finding) => (Some(finding.code.as_str()), &finding.message),
    }
}

fn row(line: &Line) -> [String; 4] {
    let (code, text) = parts(line);
    [state(line), line.check, code.unwrap_or("-"), text].map(str::to_owned)
}

fn record(line: &Line) -> Value {
    let (code, message) = parts(line);
    json!({"check": line.check, "state": state(line), "code": code, "message": message})
}
