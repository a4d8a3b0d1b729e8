//! An entry of the audit log on its way into the database.

use crate::model::audit::AuditKind;
use crate::model::change::{AuditDraft, DraftSession};
use crate::model::ids::{AuditId, OrganizationId, SessionId, UserId};
use crate::model::principal::{Actor, Principal, Reason};
use crate::model::time::Time;
use serde_json::{Map, Value};

/// An entry that its transaction has not written yet.
pub(super) struct AuditInsert {
    pub(super) id: AuditId,
    pub(super) at: Time,
    pub(super) owner: Option<UserId>,
    pub(super) kind: AuditKind,
    principal: Principal,
    pub(super) session: Option<SessionId>,
    discloses_actor: bool,
    pub(super) organization: Option<OrganizationId>,
    pub(super) subject: Option<UserId>,
    pub(super) fields: Option<String>,
    pub(super) detail: String,
    line: &'static str,
    is_warning: bool,
}

impl AuditInsert {
    pub(super) fn new(id: AuditId, at: Time, principal: Principal, draft: AuditDraft) -> Self {
        let owner = draft.owner(principal.user_id());
        let reason = principal.actor().reason().filter(|_| draft.discloses_actor).cloned();
        Self {
            id,
            at,
            owner,
            kind: draft.kind,
            session: match draft.session {
                DraftSession::Actors => principal.actor().session().filter(|_| draft.discloses_actor),
                DraftSession::About(session) => Some(session),
            },
            principal,
            discloses_actor: draft.discloses_actor,
            organization: draft.organization,
            subject: draft.subject,
            detail: draft.prose(owner),
            fields: Some(with_reason(draft.fields, reason))
                .filter(|fields| !fields.is_empty())
                .map(|fields| Value::from(fields).to_string()),
            line: draft.line,
            is_warning: draft.is_warning,
        }
    }

    pub(super) fn actor(&self) -> &Actor {
        static UNDISCLOSED: Actor = Actor::undisclosed();
        if self.discloses_actor { self.principal.actor() } else { &UNDISCLOSED }
    }

    /// Of a session that its transaction opened later.
    pub(super) fn opened(&mut self, principal: &Principal) {
        if self.session.is_none() && self.discloses_actor && self.principal.user_id() == principal.user_id() {
            self.session = principal.actor().session();
        }
    }

    /// Logs the entry, once it is committed.
    pub(super) fn log(&self) {
        macro_rules! line {
            ($level:ident) => {
                tracing::$level!(
                    target: "doorward::audit",
                    kind = self.kind.as_str(),
                    by = %self.actor().actor_name(),
                    user = self.owner.map(tracing::field::display),
                    organization = self.organization.map(tracing::field::display),
                    session = self.session.map(tracing::field::display),
                    "{}",
                    self.line
                )
            };
        }
        if self.is_warning {
            line!(warn);
        } else {
            line!(info);
        }
    }
}

/// What the kind alone does not say, and why an administrator did it.
fn with_reason(mut fields: Map<String, Value>, reason: Option<Reason>) -> Map<String, Value> {
    if let Some(reason) = reason {
        fields.insert("reason".to_owned(), reason.as_str().into());
    }
    fields
}
