//! Whether the pages of a SQLite file are sound. A start reads few of them.

use super::report::Report;
use crate::model::finding::{Finding, FindingCode};
use crate::settings::{DatabaseUrl, Settings};
use crate::store::{Soundness, sqlite_soundness};
use std::time::Duration;

const CHECK: &str = "pages";
/// Below the limit of each check: what a large file has no time for is told, and is no error.
const LIMIT: Duration = Duration::from_secs(10);

pub(super) async fn examine(report: &mut Report, settings: &Settings) {
    let DatabaseUrl::Sqlite(file) = &settings.database.url else { return };
    if !file.exists() {
        return;
    }
    match report.in_time(CHECK, sqlite_soundness(file, LIMIT)).await {
        Some(Ok(found)) => add(report, found),
        // Opening it says more.
        Some(Err(error)) => report.ok(CHECK, format!("not examined: {error}")),
        None => {}
    }
}

fn add(report: &mut Report, Soundness { examined, left_out, damaged }: Soundness) {
    for (table, damage) in damaged {
        let message = format!(
            "the table {table} is damaged ({damage}): stop the service, keep the file, and restore the last backup; \
             then look at the disk"
        );
        report.found(CHECK, Finding::new(FindingCode::DatabaseDamaged, message));
    }
    let text = match left_out {
        0 => format!("{examined} tables and their indexes intact"),
        left_out => format!(
            "{examined} tables intact; {left_out} more were not examined within {} s: a backup examines all",
            LIMIT.as_secs()
        ),
    };
    report.ok_unless_found(CHECK, text);
}
