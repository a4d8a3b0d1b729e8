//! `doorward mail show` and `doorward mail link`

use crate::cli::failure::Failure;
use crate::cli::output::Output;
use crate::cli::{attempts, format, printable};
use crate::context::App;
use crate::domain::directory::delivery::{AttemptRecord, MailRecord};
use crate::mail::Content;
use crate::model::ids::MailId;
use crate::model::principal::{Operation, Principal};
use crate::store::{AttemptRow, MailRow};
use serde::Serialize;
use serde_json::json;

struct StoredMail {
    row: MailRow,
    /// `None` once it is erased.
    content: Option<Content>,
    attempts: Vec<AttemptRow>,
}

#[derive(Serialize)]
struct ShownMail<'a> {
    #[serde(flatten)]
    record: MailRecord<'a>,
    text: Option<&'a str>,
    link: Option<&'a str>,
    attempt_list: Vec<AttemptRecord<'a>>,
}

async fn find(app: &App, id: MailId) -> Result<StoredMail, Failure> {
    let mut conn = app.store.read(&Principal::operator(), Operation::ReadMailContent).await?;
    let Some((row, sealed)) = conn.mail_find(id).await? else {
        return Err(Failure::Refused(format!("there is no email {id}; finished ones are removed after a time")));
    };
    let content = Content::open(&app.secret_keys, id, &sealed)?;
    let attempts = conn.mail_attempts(id).await?;
    Ok(StoredMail { row, content, attempts })
}

/// Shows an email with its text and its attempts.
pub(in crate::cli) async fn show(app: &App, id: MailId, out: &mut Output<'_>) -> Result<(), Failure> {
    let StoredMail { row, content, attempts } = find(app, id).await?;
    let json = ShownMail {
        record: MailRecord::from(&row),
        text: content.as_ref().map(|content| content.text.as_str()),
        link: content.as_ref().and_then(|content| content.link.as_deref()),
        attempt_list: AttemptRecord::all(&attempts),
    };
    let text = match &content {
        Some(content) => printable::indent(&printable::text(&content.text), 2),
        None => "  (erased: it need not be sent any more)".to_owned(),
    };
    let when = format::due_or_finished(row.due_at, row.finished_at, app.clock.now());
    let fields = format::fields(&[
        ("Id", id.to_string()),
        ("Kind", row.kind.clone()),
        ("State", format!("{}, {when}", row.state.as_str())),
        ("To", row.recipient.clone()),
        ("Subject", row.subject.clone()),
        ("Message", row.message_id.clone()),
        ("Written", row.created_at.to_string()),
        ("Expires", row.expires_at.to_string()),
    ]);
    out.result(&json, &format!("{fields}\n\nText\n\n{text}\n\nAttempts\n\n{}", attempts::lines(&attempts)))
}

/// Prints only the link of an email.
pub(in crate::cli) async fn link(app: &App, id: MailId, out: &mut Output<'_>) -> Result<(), Failure> {
    let Some(content) = find(app, id).await?.content else {
        return Err(Failure::Refused(format!("email {id} is erased: it was sent, has failed, or is out of date")));
    };
    let Some(link) = content.link else {
        return Err(Failure::Refused(format!("email {id} has no link")));
    };
    out.result(&json!({"id": id, "to": content.to, "link": link, "expires_at": content.expires_at}), &link)
}
