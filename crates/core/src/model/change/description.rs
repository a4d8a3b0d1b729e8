//! What is recorded of a change.

use crate::model::audit::AuditKind;
use crate::model::event::Event;
use crate::model::ids::{OrganizationId, SessionId, UserId};
use serde_json::{Map, Value};

#[derive(Debug, Default)]
pub struct Described {
    /// The entry of the audit log, unless the change only follows from another.
    pub entry: Option<AuditDraft>,
    pub events: Vec<Event>,
}

impl Described {
    pub(super) fn entry(entry: AuditDraft) -> Self {
        Self { entry: Some(entry), events: Vec::new() }
    }

    pub(super) fn events(events: impl IntoIterator<Item = Event>) -> Self {
        Self { entry: None, events: events.into_iter().collect() }
    }

    pub(super) fn and_event(mut self, event: Event) -> Self {
        self.events.push(event);
        self
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DraftSession {
    Actors,
    About(SessionId),
}

/// An entry of the audit log whose actor and time the transaction adds.
#[derive(Debug)]
pub struct AuditDraft {
    pub kind: AuditKind,
    pub line: &'static str,
    /// Whether operators should look: the line is a warning.
    pub is_warning: bool,
    pub subject: Option<UserId>,
    pub organization: Option<OrganizationId>,
    pub session: DraftSession,
    /// Whether the account's user may learn who acted, and from where.
    pub discloses_actor: bool,
    /// What the kind alone does not say, by name; never a secret.
    pub fields: Map<String, Value>,
    /// The same as prose, as versions before 0.4.0 wrote and read it: what [`AuditDraft::prose`] begins with.
    pub(super) detail: String,
    /// What it ends with.
    pub(super) rest: String,
}

impl AuditDraft {
    pub(super) fn new(kind: AuditKind, line: &'static str) -> Self {
        Self {
            kind,
            line,
            is_warning: false,
            subject: None,
            organization: None,
            session: DraftSession::Actors,
            discloses_actor: true,
            fields: Map::new(),
            detail: String::new(),
            rest: String::new(),
        }
    }

    pub(super) fn subject(self, user: UserId) -> Self {
        Self { subject: Some(user), ..self }
    }

    pub(super) fn detail(self, detail: impl Into<String>) -> Self {
        Self { detail: detail.into(), ..self }
    }

    pub(super) fn field(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(name.to_owned(), value.into());
        self
    }

    /// The user in whose log the entry stands. A change of an organization or of another member stands in the log of
    /// the member who made it: the entry has their device and address, which other users must not see.
    pub fn owner(&self, actor: Option<UserId>) -> Option<UserId> {
        match self.organization {
            Some(_) => actor.or(self.subject),
            None => self.subject,
        }
    }

    /// The entry as prose in the log of this user: with the id of the member that it is about, if that is another.
    pub fn prose(&self, owner: Option<UserId>) -> String {
        let member = self.subject.filter(|subject| self.organization.is_some() && Some(*subject) != owner);
        let mut prose = self.detail.clone();
        for part in [member.map(|member| member.to_string()), Some(self.rest.clone())].into_iter().flatten() {
            if !part.is_empty() {
                prose.push_str(", ");
                prose.push_str(&part);
            }
        }
        prose
    }
}
