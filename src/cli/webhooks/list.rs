//! `doorward webhooks list`

use super::args::ListDeliveries;
use crate::cli::failure::Failure;
use crate::cli::output::Output;
use crate::cli::runner::StoreContext;
use crate::cli::{format, page};
use crate::domain::directory::delivery::{self, DeliveryRecord};
use crate::domain::directory::list::Listing;
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::store::{DeliveryFilter, DeliveryRow};
use std::time::Duration;

/// Longer than any retention: no filter by age.
pub(super) const MAX_AGE: Duration = Duration::from_hours(50 * 365 * 24);

/// Lists the deliveries that match the filter, one line each.
pub(in crate::cli) async fn list(
    context: &StoreContext,
    arguments: &ListDeliveries,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let filter = DeliveryFilter {
        state: arguments.state,
        kind: arguments.kind.as_deref(),
        since: arguments.since.unwrap_or(MAX_AGE),
    };
    let mut conn = context.store.read(&Principal::operator(), Operation::ReadDeliveries).await?;
    let Listing { data: rows, next, .. } = delivery::events(&mut conn, &filter, arguments.range.range()).await?;
    let now = context.clock.now();
    let records: Vec<DeliveryRecord<'_>> = rows.iter().map(DeliveryRecord::from).collect();
    let columns = ["id", "kind", "state", "attempts", "when", "last attempt"];
    let table = format::table(columns, rows.iter().map(|row| cells(row, now)));
    let text = if rows.is_empty() { "No such deliveries.".to_owned() } else { page::text(table, next) };
    out.list(&records, next, &text)
}

fn cells(row: &DeliveryRow, now: Time) -> [String; 6] {
    let outcome = row.last_outcome.as_ref().map(|class| format::outcome(class, row.last_status));
    [
        row.id.wire(),
        row.kind.clone(),
        row.state.as_str().to_owned(),
        row.recorded.to_string(),
        format::due_or_finished(row.due_at, row.finished_at, now),
        outcome.unwrap_or_else(|| "-".to_owned()),
    ]
}
