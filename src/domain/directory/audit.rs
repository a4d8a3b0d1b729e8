//! Entries of the audit log.

use super::list::{ListRange, Listing};
use crate::model::ids::{AuditId, OrganizationId, SessionId, UserId};
use crate::model::mail_domain;
use crate::model::time::Time;
use crate::model::user_label::UserLabel;
use crate::store::{AuditRow, Conn, Result};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::collections::HashMap;
use uuid::Uuid;

pub use crate::store::{AuditAbout, AuditQuery};

/// No account has a longer username or address, so a longer one is not looked up.
const MAX_NAME: usize = 254;
/// Names of actors in the log.
const USER: &str = "user";
const OPERATOR: &str = "operator";
/// What stands where a kind has no fields: an object as everywhere, so that a reader needs no second case.
const NO_FIELDS: &str = "{}";
/// The member of the fields in which an administrator says why.
const REASON: &str = "reason";

#[derive(Debug, Serialize)]
pub struct AuditRecord<'a> {
    id: AuditId,
    at: Time,
    user_id: Option<UserId>,
    kind: &'a str,
    actor: &'a str,
    actor_user_id: Option<UserId>,
    session_id: Option<SessionId>,
    address: &'a str,
    user_agent: &'a str,
    detail: &'a str,
    times: i64,
    organization_id: Option<OrganizationId>,
    subject: Option<AuditSubject>,
    fields: Option<&'a RawValue>,
}

impl AuditRecord<'_> {
    /// The names of the members, in their order.
    pub const MEMBERS: [&'static str; 14] = [
        "id",
        "at",
        "user_id",
        "kind",
        "actor",
        "actor_user_id",
        "session_id",
        "address",
        "user_agent",
        "detail",
        "times",
        "organization_id",
        "subject",
        "fields",
    ];
}

#[derive(Clone, Copy, Debug, Serialize)]
struct AuditSubject {
    r#type: &'static str,
    id: Uuid,
}

/// An entry as the person sees it in whose log it stands: what an administrator did stands there as the operator's, without
/// who that was, where, in which session and why.
pub fn as_owner_sees(row: AuditRow) -> AuditRow {
    let is_others = row.actor == USER && row.actor_user_id.is_some() && row.actor_user_id != row.user_id;
    if !is_others {
        return row;
    }
    AuditRow {
        actor: OPERATOR.to_owned(),
        actor_user_id: None,
        session_id: None,
        address: String::new(),
        user_agent: String::new(),
        fields: row.fields.and_then(|fields| without_reason(&fields)),
        ..row
    }
}

fn without_reason(fields: &str) -> Option<String> {
    let mut fields: Map<String, Value> = serde_json::from_str(fields).ok()?;
    fields.remove(REASON);
    (!fields.is_empty()).then(|| Value::from(fields).to_string())
}

impl<'a> From<&'a AuditRow> for AuditRecord<'a> {
    fn from(row: &'a AuditRow) -> Self {
        let user = row.subject_id.map(|user| AuditSubject { r#type: "user", id: user.0 });
        let organization = row.organization_id.map(|org| AuditSubject { r#type: "organization", id: org.0 });
        Self {
            id: row.id,
            at: row.at,
            user_id: row.user_id,
            kind: &row.kind,
            actor: &row.actor,
            actor_user_id: row.actor_user_id,
            session_id: row.session_id,
            address: &row.address,
            user_agent: &row.user_agent,
            detail: &row.detail,
            times: row.times,
            organization_id: row.organization_id,
            subject: user.or(organization),
            // The database holds JSON here; null where it does not.
            fields: serde_json::from_str(row.fields.as_deref().unwrap_or(NO_FIELDS)).ok(),
        }
    }
}

pub async fn list(conn: &mut Conn, query: &AuditQuery, range: ListRange) -> Result<Listing<AuditRow>> {
    let part = conn.audit_list(query, range.after, range.rows()).await?;
    Ok(range.listing_until(part.rows, part.cut, AuditRow::place, |row| row))
}

/// What the people are called whom entries are about, or who did it, as far as they are still there.
pub async fn names<'a>(
    conn: &mut Conn,
    rows: impl IntoIterator<Item = &'a AuditRow>,
) -> Result<HashMap<UserId, String>> {
    let mut ids: Vec<UserId> =
        rows.into_iter().flat_map(|row| [row.subject_id, row.user_id, row.actor_user_id]).flatten().collect();
    ids.sort_unstable();
    ids.dedup();
    let users = conn.user_details_of(&ids).await?;
    Ok(users
        .into_iter()
        .map(|user| (user.id, UserLabel::new(None, &user.email, &user.username).account().to_owned()))
        .collect())
}

/// What a text names that people typed: an id, an actor who is no person, an email address or a username.
pub async fn find_about(conn: &mut Conn, text: &str) -> Result<AuditAbout> {
    if let Some(about) = AuditAbout::parse(text) {
        return Ok(about);
    }
    let key = mail_domain::key(text.trim());
    if key.is_empty() || key.chars().count() > MAX_NAME {
        return Ok(AuditAbout::Nothing);
    }
    let found =
        if key.contains('@') { conn.user_find_by_email(&key).await? } else { conn.user_find_by_username(&key).await? };
    Ok(found.map_or(AuditAbout::Nothing, |user| AuditAbout::Id(user.id.0)))
}

#[cfg(test)]
#[path = "audit_tests.rs"]
mod tests;
