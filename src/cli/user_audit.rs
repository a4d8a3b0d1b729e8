//! `doorward user audit`: the audit log of an account, or of all.

use super::failure::Failure;
use super::format;
use super::output::Output;
use super::page;
use super::runner::StoreContext;
use super::user_audit_args::UserAudit;
use super::which_user;
use crate::domain::account::activity::{Activity, whole_activity};
use crate::domain::account::operator;
use crate::domain::directory::audit::{self, AuditAbout, AuditQuery, AuditRecord};
use crate::domain::directory::list::{ListRange, Listing};
use crate::model::mail_domain::in_letters;
use crate::model::principal::{Operation, Principal};
use crate::refusal::{ChangeError, Refusal};
use crate::store::{AuditRow, Store, StoreError, UserRow};
use serde::Serialize;

/// Entries that are read at a time where all are printed.
const AT_ONCE: u32 = 500;

/// Prints the latest entries, or all, newest first.
pub(super) async fn run(context: &StoreContext, arguments: &UserAudit, out: &mut Output<'_>) -> Result<(), Failure> {
    let about = match &arguments.user {
        Some(who) => Some(find(&context.store, who).await?),
        None => None,
    };
    let query = AuditQuery { about, kind: arguments.kind, since: arguments.since, until: arguments.until };
    if arguments.all {
        return print_all(&context.store, &query, out).await;
    }
    let range = arguments.range.range();
    let found = whole_activity(&context.store, &Principal::operator(), &query, range, context.clock.now()).await?;
    let Listing { data: found, next, .. } = found;
    let mut text = if found.is_empty() && next.is_none() {
        "Nothing in the last 90 days.".to_owned()
    } else {
        page::text(table(&context.store, &query, &found).await?, next)
    };
    if let Some(AuditAbout::Actor(actor)) = &query.about
        && let Some(user) = namesake(&context.store, actor).await?
    {
        let email = in_letters(&user.email);
        text = format!("{text}\nThese are by {actor}. The account that is called so is doorward user audit {email}");
    }
    out.list(&found.iter().map(ActivityRecord::from).collect::<Vec<_>>(), next, &text)
}

/// The entries as a table; of all accounts, with whose each is.
async fn table(store: &Store, query: &AuditQuery, found: &[Activity]) -> Result<String, StoreError> {
    let columns = ["at", "what", "by", "device", "address", "detail", "note"];
    if query.about.is_some() {
        return Ok(format::table(columns, found.iter().map(activity_cells)));
    }
    let mut conn = store.read(&Principal::operator(), Operation::ReadActivity).await?;
    let names = audit::names(&mut conn, found.iter().map(|activity| &activity.entry)).await?;
    let [at, what, by, device, address, detail, note] = columns;
    let rows = found.iter().map(|activity| {
        let name = |id| names.get(&id).map_or_else(|| id.to_string(), |name| in_letters(name).into_owned());
        let account = activity.entry.user_id.map(name);
        let [at, what, by, device, address, detail, note] = activity_cells(activity);
        [at, account.unwrap_or_default(), what, by, device, address, detail, note]
    });
    Ok(format::table([at, "account", what, by, device, address, detail, note], rows))
}

/// Prints every entry as it is read.
async fn print_all(store: &Store, query: &AuditQuery, out: &mut Output<'_>) -> Result<(), Failure> {
    let mut range = ListRange::first(AT_ONCE);
    loop {
        let mut conn = store.read(&Principal::operator(), Operation::ReadActivity).await?;
        let Listing { data, next, .. } = audit::list(&mut conn, query, range).await?;
        drop(conn);
        for row in &data {
            out.item(&AuditRecord::from(row), cells(row).join("  ").trim_end())?;
        }
        match next {
            Some(after) => range = ListRange { after, ..range },
            None => return Ok(()),
        }
    }
}

/// The account whose username is that of an actor who is no person.
async fn namesake(store: &Store, actor: &str) -> Result<Option<UserRow>, StoreError> {
    store.read(&Principal::operator(), Operation::FindUsers).await?.user_find_by_username(actor).await
}

/// Finds what entries are to be about. The log outlives accounts and organizations, so the id of a deleted one is
/// accepted.
async fn find(store: &Store, who: &str) -> Result<AuditAbout, Failure> {
    let about = AuditAbout::parse(who);
    if let Some(AuditAbout::Actor(actor)) = about {
        return Ok(AuditAbout::Actor(actor));
    }
    match (operator::find(store, &Principal::operator(), who).await, about) {
        (Ok(user), _) => Ok(AuditAbout::Id(user.id.0)),
        (Err(ChangeError::Refused(Refusal::NotFound(_))), Some(about)) => Ok(about),
        (Err(ChangeError::Refused(Refusal::NotFound(_))), None) => Err(which_user::no_such_user(store, who).await?),
        (Err(error), _) => Err(error.into()),
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
    let [at, what, by, device, address, detail] = cells(&activity.entry);
    let note = if activity.is_suspicious { "suspicious".to_owned() } else { String::new() };
    [at, what, by, device, address, detail, note]
}

/// Time, kind, actor, device, address and detail of an entry, short enough for a terminal; JSON has all of it.
pub(super) fn cells(row: &AuditRow) -> [String; 6] {
    let times = if row.times > 1 { format!(" ({} times)", row.times) } else { String::new() };
    [
        format::seconds(row.at),
        format!("{}{times}", row.kind),
        row.actor.clone(),
        format::device(&row.user_agent),
        row.address.clone(),
        row.detail.clone(),
    ]
}
