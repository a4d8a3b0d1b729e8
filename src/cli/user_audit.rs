//! `doorward user audit`: the audit log of an account.

use super::args::UserAudit;
use super::failure::Failure;
use super::format;
use super::output::Output;
use super::page;
use super::runner::StoreContext;
use crate::domain::account::activity::{Activity, activity};
use crate::domain::account::operator;
use crate::domain::directory::audit::AuditRecord;
use crate::domain::directory::list::Listing;
use crate::domain::identity::operator_error::OperatorError;
use crate::model::ids::UserId;
use crate::model::principal::Principal;
use crate::store::{AuditRow, Store};
use serde::Serialize;
use uuid::Uuid;

/// Prints the latest entries, newest first.
pub(super) async fn run(context: &StoreContext, arguments: &UserAudit, out: &mut Output<'_>) -> Result<(), Failure> {
    let user = find(&context.store, &arguments.user).await?;
    let range = arguments.range.range();
    let found = activity(&context.store, &Principal::operator(), user, range, context.clock.now()).await?;
    let Listing { data: found, next } = found;
    let text = if found.is_empty() {
        "Nothing in the last 90 days.".to_owned()
    } else {
        let columns = ["at", "what", "by", "address", "device", "detail", "note"];
        page::text(format::table(columns, found.iter().map(activity_cells)), next)
    };
    out.list(&found.iter().map(ActivityRecord::from).collect::<Vec<_>>(), next, &text)
}

/// Finds the user. The log outlives the account, so the id of a deleted one is accepted.
async fn find(store: &Store, who: &str) -> Result<UserId, OperatorError> {
    match operator::find(store, &Principal::operator(), who).await {
        Ok(user) => Ok(user.id),
        Err(OperatorError::NoSuchUser(who)) => {
            Uuid::try_parse(&who).map(UserId).map_err(|_| OperatorError::NoSuchUser(who))
        }
        Err(error) => Err(error),
    }
}

/// An entry, and whether to look twice.
#[derive(Serialize)]
struct ActivityRecord<'a> {
    #[serde(flatten)]
    entry: AuditRecord<'a>,
    suspicious: bool,
}

impl<'a> From<&'a Activity> for ActivityRecord<'a> {
    fn from(activity: &'a Activity) -> Self {
        Self { entry: AuditRecord::from(&activity.entry), suspicious: activity.is_suspicious }
    }
}

fn activity_cells(activity: &Activity) -> [String; 7] {
    let [at, what, by, address, device, detail] = cells(&activity.entry);
    let note = if activity.is_suspicious { "suspicious".to_owned() } else { String::new() };
    [at, what, by, address, device, detail, note]
}

/// Time, kind, actor, address, device and detail of an entry.
pub(super) fn cells(row: &AuditRow) -> [String; 6] {
    let times = if row.times > 1 { format!(" ({} times)", row.times) } else { String::new() };
    [
        row.at.to_string(),
        format!("{}{times}", row.kind),
        row.actor.clone(),
        row.address.clone(),
        row.user_agent.clone(),
        row.detail.clone(),
    ]
}
