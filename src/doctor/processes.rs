//! The processes that run: their settings, and the connections that they may open together.

use super::database::finding;
use super::report::Report;
use crate::crypto::secret_keys::SecretKeys;
use crate::domain::other_processes;
use crate::model::finding::{Finding, FindingCode};
use crate::settings::Settings;
use crate::store::Store;

const CHECK: &str = "processes";

pub(super) async fn examine(report: &mut Report, store: &Store, settings: &Settings, keys: &SecretKeys) {
    let running = match report.in_time(CHECK, other_processes::differing(store, settings, keys)).await {
        Some(Ok((differing, running))) => {
            compare(report, &differing);
            running
        }
        Some(Err(error)) => return report.found(CHECK, Finding::new(FindingCode::DatabaseAway, error.to_string())),
        None => return,
    };
    match report.in_time(CHECK, store.max_connections()).await {
        Some(Ok(Some(most))) => connections(report, settings, most, running),
        Some(Err(error)) => report.found(CHECK, finding(&error, "the server")),
        // A SQLite file has as many as it needs.
        Some(Ok(None)) | None => {}
    }
}

fn compare(report: &mut Report, differing: &[String]) {
    if differing.is_empty() {
        return report.ok(CHECK, "all have the same settings");
    }
    let names = differing.join(", ");
    let message = format!(
        "a running process has different values: {names}; give all processes the same values, and restart those that \
        were started before"
    );
    report.found(CHECK, Finding::new(FindingCode::SettingsDiffer, message));
}

/// An instance that does not run has one process at least once it does.
fn connections(report: &mut Report, settings: &Settings, most: i64, running: usize) {
    let (each, processes) = (settings.database.pool_max, i64::try_from(running).unwrap_or(i64::MAX).max(1));
    let needed = processes.saturating_mul(i64::from(each));
    if needed <= most {
        return;
    }
    let variable = settings.name.variable("DATABASE_POOL_MAX");
    let message = format!(
        "the server allows the service {most} connections, but it may open {needed} (processes: {processes}, \
         {variable}={each}): raise max_connections or the limit of its user, or lower {variable}"
    );
    report.found(CHECK, Finding::new(FindingCode::ConnectionsShort, message));
}
