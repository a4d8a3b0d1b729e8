//! `doorward status`: what the doctor found, without what is well.

use super::doctor::{self, table};
use super::failure::Failure;
use super::output::Output;
use crate::doctor::{Extent, Line, examine};
use crate::settings::{Environment, ServiceName};
use serde::Serialize;

#[derive(Serialize)]
struct Status {
    healthy: bool,
    checked: usize,
    findings: Vec<Line>,
}

/// Prints what the doctor found; fails if that is an error.
pub(super) async fn run(name: &ServiceName, environment: &Environment, out: &mut Output<'_>) -> Result<(), Failure> {
    let mut report = Box::pin(examine(name, environment, &Extent::default())).await;
    let (checked, errors) = (report.lines.len(), report.errors());
    report.lines.retain(|line| line.code.is_some());
    let found = report.lines.len();
    let text = if found == 0 {
        format!("ok: {checked} checks found nothing; doorward doctor lists them")
    } else {
        format!("{}\n{found} of {checked} checks found something; doorward doctor lists all of them", table(&report))
    };
    let record = Status { healthy: errors.is_empty(), checked, findings: report.lines };
    doctor::print(&record, &text, &errors, environment, out)
}
