//! The settings of the process that runs.

use super::report::Report;
use crate::crypto::secret_keys::SecretKeys;
use crate::domain::other_processes;
use crate::model::finding::{Finding, FindingCode};
use crate::settings::Settings;
use crate::store::Store;

const CHECK: &str = "processes";

pub(super) async fn examine(report: &mut Report, store: &Store, settings: &Settings, keys: &SecretKeys) {
    match report.in_time(CHECK, other_processes::differing(store, settings, keys)).await {
        Some(Ok(differing)) if differing.is_empty() => report.ok(CHECK, "no running one has other settings"),
        Some(Ok(differing)) => {
            let names = differing.join(", ");
            let message = format!("a running process has other settings. Set for all processes alike: {names}");
            report.found(CHECK, Finding::new(FindingCode::SettingsDiffer, message));
        }
        Some(Err(error)) => report.found(CHECK, Finding::new(FindingCode::DatabaseAway, error.to_string())),
        None => {}
    }
}
