//! Entries of the audit log.

use crate::model::ids::{AuditId, OrganizationId, SessionId, UserId};
use crate::model::time::Time;
use crate::store::AuditRow;
use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

/// An entry.
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

/// What an entry is about.
#[derive(Clone, Copy, Debug, Serialize)]
struct AuditSubject {
    r#type: &'static str,
    id: Uuid,
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
            fields: row.fields.as_deref().and_then(|fields| serde_json::from_str(fields).ok()),
        }
    }
}
