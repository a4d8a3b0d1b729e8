//! Whether the database has what the steps of the schema make.

use super::database::finding;
use super::report::Report;
use crate::model::finding::{Finding, FindingCode};
use crate::store::Store;

const CHECK: &str = "schema";
/// More would not be read.
const MAX_NAMED: usize = 10;

pub(super) async fn examine(report: &mut Report, store: &Store) {
    let missing = match report.in_time(CHECK, store.missing_content()).await {
        Some(Ok(missing)) => missing,
        Some(Err(error)) => return report.found(CHECK, finding(&error, CHECK)),
        None => return,
    };
    if missing.is_empty() {
        return report.ok(CHECK, "up to date and complete");
    }
    let named = missing.iter().take(MAX_NAMED).cloned().collect::<Vec<_>>().join(", ");
    let more = missing.len().saturating_sub(MAX_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let message = format!("missing in the database: {named}{more}; recreate it as in the schema, or restore a backup");
    report.found(CHECK, Finding::new(FindingCode::SchemaIncomplete, message));
}
