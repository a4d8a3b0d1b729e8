//! `doorward mail list`

use super::args::ListMails;
use crate::cli::failure::Failure;
use crate::cli::output::Output;
use crate::cli::runner::StoreContext;
use crate::cli::{format, page};
use crate::domain::directory::delivery::{self, MailRecord};
use crate::domain::directory::list::Listing;
use crate::model::mail_domain;
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::store::{MailFilter, MailRow};

/// Lists the emails that match the filter, one line each.
pub(in crate::cli) async fn list(
    context: &StoreContext,
    arguments: &ListMails,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let to = arguments.to.as_ref().map(|to| mail_domain::key(to));
    let filter = MailFilter { state: arguments.state, recipient_key: to.as_deref() };
    let mut conn = context.store.read(&Principal::operator(), Operation::ReadDeliveries).await?;
    let Listing { data: rows, next, .. } = delivery::mails(&mut conn, &filter, arguments.range.range()).await?;
    let now = context.clock.now();
    let records: Vec<MailRecord<'_>> = rows.iter().map(MailRecord::from).collect();
    let columns = ["id", "state", "kind", "to", "when", "last attempt"];
    let table = format::table(columns, rows.iter().map(|row| cells(row, now)));
    let text = if rows.is_empty() { "No such emails.".to_owned() } else { page::text(table, next) };
    out.list(&records, next, &text)
}

fn cells(row: &MailRow, now: Time) -> [String; 6] {
    let outcome = row.last_outcome.as_ref().map(|class| format::outcome(class, row.last_status));
    [
        row.id.to_string(),
        row.state.as_str().to_owned(),
        row.kind.clone(),
        row.recipient.clone(),
        format::due_or_finished(row.due_at, row.finished_at, now),
        outcome.unwrap_or_else(|| "-".to_owned()),
    ]
}
