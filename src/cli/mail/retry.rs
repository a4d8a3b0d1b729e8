//! `doorward mail retry`

use super::args::RetryMails;
use crate::cli::failure::Failure;
use crate::cli::output::Output;
use crate::cli::sending_again::{ProgressBar, confirm};
use crate::context::App;
use crate::domain::verification::failed_mail::{Again, write_again};
use crate::model::ids::MailId;
use crate::model::list_place::ListPlace;
use crate::model::principal::{Operation, Principal};
use crate::store::{DeliveryState, MailFilter, MailRow};
use serde_json::json;
use std::collections::HashSet;

const PAGE: i64 = 500;

/// Writes the named mails, or all that failed, again; fails if a named one is not.
pub(in crate::cli) async fn retry(app: &App, arguments: &RetryMails, out: &mut Output<'_>) -> Result<(), Failure> {
    let (mut ids, mut skipped) = (Vec::new(), Vec::new());
    if arguments.again.failed {
        ids = failed(app, arguments).await?;
    } else {
        let mut seen = HashSet::new();
        ids.extend(arguments.ids.iter().map(|id| MailId(*id)).filter(|id| seen.insert(*id)));
    }
    let total = u64::try_from(ids.len()).unwrap_or(u64::MAX);
    confirm(total, "emails", arguments.again.yes, out)?;
    let mut progress = ProgressBar::new(total, out);
    let mut written = 0_u64;
    for (done, id) in (1..).zip(ids) {
        match again(app, id).await? {
            Again::Written => written += 1,
            Again::Skipped(why) => skipped.push((id, why)),
        }
        progress.update(done);
    }
    progress.clear();
    let what = if written == 1 { "1 email is".to_owned() } else { format!("{written} emails are") };
    let mut text = format!("{what} written again.");
    for (id, why) in &skipped {
        text = format!("{text}\nSkipped: {id} ({why})");
    }
    let list: Vec<_> = skipped.iter().map(|(id, why)| json!({"id": id, "reason": why})).collect();
    out.result(&json!({"written": written, "skipped": list}), &text)?;
    if arguments.again.failed || skipped.is_empty() {
        return Ok(());
    }
    Err(Failure::Refused(format!("not written again: {} of {total}", skipped.len())))
}

async fn again(app: &App, id: MailId) -> Result<Again, Failure> {
    let operator = Principal::operator();
    let found = app.store.read(&operator, Operation::ReadDeliveries).await?.mail_find_row(id).await?;
    match found {
        Some(row) => Ok(write_again(app, &operator, &row).await?),
        None => Ok(Again::Skipped("not found".to_owned())),
    }
}

/// Those that failed, the newest first: of several about the same, the last is written again.
async fn failed(app: &App, arguments: &RetryMails) -> Result<Vec<MailId>, Failure> {
    let until = app.store.database_time();
    let filter = MailFilter { state: Some(DeliveryState::Failed), recipient_key: None };
    let (mut ids, mut place) = (Vec::new(), ListPlace::START);
    loop {
        let mut conn = app.store.read(&Principal::operator(), Operation::ReadDeliveries).await?;
        let page = conn.mails_list(&filter, place, PAGE).await?;
        let is_recent = |row: &&MailRow| {
            arguments.again.since.is_none_or(|age| row.finished_at.is_some_and(|finished| finished >= until - age))
        };
        ids.extend(page.iter().take_while(is_recent).map(|row| row.id));
        match page.last() {
            Some(last) if is_recent(&last) => place = last.place(),
            _ => return Ok(ids),
        }
    }
}
