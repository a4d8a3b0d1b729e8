//! `doorward user audit`: the audit log of an account.

use super::args::UserAudit;
use super::failure::Failure;
use super::format;
use super::output::Output;
use super::page;
use super::runner::StoreContext;
use crate::domain::account::activity::{Activity, activity};
use crate::domain::account::export;
use crate::domain::account::operator;
use crate::domain::identity::operator_error::OperatorError;
use crate::model::audit;
use crate::model::ids::{AuditId, UserId};
use crate::model::list_place::ListPlace;
use crate::model::principal::Principal;
use crate::store::Store;
use serde_json::Value;
use std::io::Write;
use uuid::Uuid;

/// Prints the latest entries, newest first.
pub(super) async fn run<W: Write>(
    context: &StoreContext,
    arguments: &UserAudit,
    out: &mut Output<W>,
) -> Result<(), Failure> {
    let user = find(&context.store, &arguments.user).await?;
    let before = arguments.after.map_or(audit::NEWEST, |place| (place.at, AuditId(place.id)));
    let limit = i64::from(arguments.limit) + 1;
    let mut found = activity(&context.store, &Principal::operator(), user, before, limit, context.clock.now()).await?;
    let next = page::cut(&mut found, arguments.limit, |row| ListPlace { at: row.entry.at, id: row.entry.id.0 });
    let text = if found.is_empty() {
        "Nothing in the last 90 days.".to_owned()
    } else {
        let columns = ["at", "what", "by", "address", "device", "detail", "note"];
        page::text(format::table(columns, found.iter().map(cells)), next.as_deref())
    };
    out.list(&found.iter().map(record).collect::<Vec<_>>(), next.as_deref(), &text)
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

fn record(activity: &Activity) -> Value {
    let mut entry = export::audit_entry(&activity.entry);
    entry["suspicious"] = activity.is_suspicious.into();
    entry
}

fn cells(activity: &Activity) -> [String; 7] {
    let row = &activity.entry;
    let times = if row.times > 1 { format!(" ({} times)", row.times) } else { String::new() };
    [
        row.at.to_string(),
        format!("{}{times}", row.kind),
        row.actor.clone(),
        row.address.clone(),
        row.user_agent.clone(),
        row.detail.clone(),
        if activity.is_suspicious { "suspicious".to_owned() } else { String::new() },
    ]
}
