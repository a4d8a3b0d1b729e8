//! JSON Schemas of the events (docs/reference/events/): the fields of each kind, for receivers that check or generate
//! code. A test holds every kind that is sent against them.

use super::event::{EventKind, PING};
use serde_json::{Map, Value, json};

/// A field of `data`: its name, the schema of its values, and what it is.
type Field = (&'static str, fn() -> Value, &'static str);

const USER: Field = ("user_id", uuid, "The user.");
const ORGANIZATION: Field = ("organization_id", uuid, "The organization.");
const ROLE: Field = ("role", role, "The role of the member.");
const METADATA: Field =
    ("metadata", object, "What the application gave with the invitation, byte for byte; `{}` if it gave nothing.");

impl EventKind {
    /// The schema of a body of this kind (JSON Schema 2020-12). New fields may be added, so it forbids none.
    pub fn schema(self) -> Value {
        let (description, fields) = self.described();
        envelope(self.as_str(), description, &fields)
    }

    fn described(self) -> (&'static str, Vec<Field>) {
        match self {
            EventKind::UserCreated => ("An account was made.", vec![USER]),
            EventKind::UserUpdated => ("Something of an account changed; it does not say what.", vec![USER]),
            EventKind::UserDeleted => ("An account was deleted.", vec![USER]),
            EventKind::OrganizationCreated => ("An organization was made.", organization()),
            EventKind::OrganizationUpdated => ("An organization has another name.", organization()),
            EventKind::OrganizationDeleted => ("An organization was deleted.", organization()),
            EventKind::MembershipCreated => ("A user has become a member of an organization.", new_membership()),
            EventKind::MembershipUpdated => ("A member has another role.", vec![ORGANIZATION, USER, ROLE]),
            EventKind::MembershipDeleted => ("A membership has ended.", vec![ORGANIZATION, USER, ROLE]),
            EventKind::InvitationCreated => (
                "A person was invited.",
                invitation(&[
                    ("invited_by_user_id", uuid_or_null, "Who invited; null for an operator and an API key."),
                    ("expires_at", time, "Until when the invitation can be accepted."),
                ]),
            ),
            EventKind::InvitationAccepted => (
                "An invitation was accepted.",
                invitation(&[("accepted_by_user_id", uuid, "The user who accepted."), ("accepted_at", time, "When.")]),
            ),
            EventKind::InvitationRevoked => (
                "An invitation was revoked or declined.",
                invitation(&[
                    ("revoked_by_user_id", uuid_or_null, "Who did it; null for an operator, an API key and a visitor."),
                    ("revoked_at", time, "When."),
                ]),
            ),
        }
    }
}

/// The schema of a test event, which no action causes.
pub fn ping_schema() -> Value {
    envelope(PING, "A test event, which `doorward webhooks ping` sends: nothing has happened.", &[])
}

fn envelope(kind: &str, description: &str, fields: &[Field]) -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": kind,
        "description": description,
        "type": "object",
        "required": ["created_at", "data", "id", "type"],
        "properties": {
            "id": {
                "description": "The event's id, the same at every delivery: process it once.",
                "type": "string",
                "pattern": "^evt_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
            },
            "type": {"const": kind},
            "created_at": described("When it happened, in UTC.", time()),
            "data": {
                "type": "object",
                "required": fields.iter().map(|(name, ..)| *name).collect::<Vec<_>>(),
                "properties": properties(fields),
            },
        },
    })
}

fn organization() -> Vec<Field> {
    vec![
        ORGANIZATION,
        ("name", text, "Its name."),
        ("kind", kind, "`personal` has one member; `team` may have many."),
        ("created_by_user_id", uuid_or_null, "Who created it, while that account exists."),
    ]
}

fn new_membership() -> Vec<Field> {
    vec![
        ORGANIZATION,
        USER,
        ROLE,
        ("is_initial_membership", boolean, "Whether it was created together with the organization."),
        ("invitation_id", uuid_or_null, "The invitation that was accepted."),
        METADATA,
    ]
}

fn invitation(own: &[Field]) -> Vec<Field> {
    let common = [
        ("invitation_id", uuid as fn() -> Value, "The invitation."),
        ORGANIZATION,
        ("email", text, "The invited email address."),
        ("role", role, "The role on acceptance."),
        METADATA,
    ];
    common.iter().chain(own).copied().collect()
}

fn properties(fields: &[Field]) -> Map<String, Value> {
    fields.iter().map(|(name, schema, description)| ((*name).to_owned(), described(description, schema()))).collect()
}

fn described(description: &str, mut schema: Value) -> Value {
    schema["description"] = json!(description);
    schema
}

fn uuid() -> Value {
    json!({"type": "string", "format": "uuid"})
}

fn uuid_or_null() -> Value {
    json!({"type": ["string", "null"], "format": "uuid"})
}

fn time() -> Value {
    json!({"type": "string", "format": "date-time"})
}

fn text() -> Value {
    json!({"type": "string"})
}

fn boolean() -> Value {
    json!({"type": "boolean"})
}

fn object() -> Value {
    json!({"type": "object"})
}

fn role() -> Value {
    json!({"enum": ["owner", "admin", "member"]})
}

fn kind() -> Value {
    json!({"enum": ["personal", "team"]})
}

#[cfg(test)]
#[path = "event_schema_tests.rs"]
mod tests;
